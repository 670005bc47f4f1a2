#!/bin/sh
# handover-test.sh: the places of waits are known for 16 threads with 200,000 switches a second, and few samples are lost.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
may_sample || exit 77

export OPENBLAS_NUM_THREADS=1
expect 0 "$blasprof" --roi=process -i flood.db -- "$PWD/tests/sampling/waits" 15000 pairs
waits_known flood.db || exit 77
lost=$(column runs samples_lost -i flood.db | sum)
samples=$(column runs samples -i flood.db | sum)
expect 0 "$blasprof" report -i flood.db --format=tsv --table=waits --columns=kind,function,caller,role,waits,total_ns,share
awk -F '\t' -v lost="$lost" -v samples="$samples" '
	NR == 1 { next }
	{ share += $7 }
	$1 == "run queue" || $4 != "caller" { next }
	$1 == "unknown" { unknown += $6 } # records are lost if the recorder gets no CPU
	{ all += $6 }
	$1 == "condition" && $2 == "pthread_cond_wait" && $3 == "take_turn" { handed += $6; waits += $5 }
	END {
		printf "%d samples, %d lost, %d waits, %.3f s of %.3f s at the condition, %.1f %% of the time\n",
			samples, lost, waits, handed / 1e9, all / 1e9, 100 * share
		# most of the 240,000 handovers are waits
		exit !(samples > 20 && lost < 0.1 * samples + 2 && waits > 60000 && unknown < 0.3 * all && handed > 0.9 * (lost ? all - unknown : all) && share <= 1.001)
	}' "$work/out" || fail "records were lost, or waits are not known: $(cat "$work/out")"
finish
