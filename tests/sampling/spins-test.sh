#!/bin/sh
# spins-test.sh: time that spins is known by loops and pools that wait, and loops that work are not taken for such.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

spins=$PWD/tests/sampling/spins
export OPENBLAS_NUM_THREADS=1
seconds=1

# profile KIND [VARIABLE=VALUE]...
profile()
{
	kind=$1
	shift
	rm -f "$work/x.db"
	expect 0 env "$@" "$blasprof" -F 997 -q -i x.db -- "$spins" "$kind" $seconds
	cp "$work/out" "$work/truth"
}

# compare KIND: each thread's share of spinning is what the program's own clock says, within 4 points and three standard
# deviations.
compare()
{
	while read -r tid did all; do
		sqlite3 -separator ' ' "$work/x.db" "SELECT spin_ns, other_ns + spin_ns, samples_spin + samples_other + samples_kernel FROM threads WHERE tid = $tid" |
			awk -v kind=$1 -v did="$did" -v all="$all" '{
				want = did < all ? 1 - did / all : 0; got = $2 ? $1 / $2 : 0; rows++
				far = 0.04 + ($3 ? 3 * sqrt(want * (1 - want) / $3) : 1)
				printf "%s: %.1f %% spinning, in the report %.1f %%\n", kind, 100 * want, 100 * got
				if (got - want > far || want - got > far) bad = 1
			} END { exit bad || !rows }' || fail "$1: spinning is not what it was"
	done <"$work/truth"
}

profile pause
if ! sqlite3 "$work/x.db" "SELECT samples FROM runs" | grep -qv '^0$'; then
	echo "SKIP: this user may not sample (sysctl kernel.perf_event_paranoid)"
	exit 77
fi
for kind in pause poll lock yield omp length find sum differ add; do
	profile $kind
	[ "$(wc -l <"$work/truth")" -gt 0 ] || fail "$kind said nothing"
	compare $kind
done

# The same program with LLVM's OpenMP library, which has GNU's functions too.
llvm=$(ldconfig -p 2>/dev/null | sed -n 's/.*libomp\.so\.5 .* => //p' | head -n 1)
if [ -n "$llvm" ]; then
	profile omp LD_PRELOAD="$llvm"
	compare omp-llvm
fi

# What OpenBLAS's own threads do between calls is no BLAS; that the caller waits for them inside of one is, by samples too.
profile pool OPENBLAS_NUM_THREADS=2
compare pool
[ "$(sqlite3 "$work/x.db" "SELECT sum(samples_spin) FROM threads WHERE calls = 0")" -gt 0 ] || fail "idle threads of OpenBLAS do not spin"
expect 0 "$blasprof" report -i x.db --format=csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
	NR == 2 { off = $column["f_sampled"] - $column["f_intercepted"]; printf "pool: f %s, by samples %s\n", $column["f_intercepted"], $column["f_sampled"]
		exit off > 0.1 || off < -0.1 }' "$work/out" || fail "samples and interception disagree on f where pools spin"

# The place stands in the list of functions.
profile pause
expect 0 "$blasprof" report -i x.db --format=csv --table=functions
expect_says out 'wait_with_pause,.*,spin,'

# Without samples nothing is said to spin.
rm -f "$work/x.db"
expect 0 "$blasprof" -F 0 -q -i x.db -- "$spins" pause 1
[ "$(sqlite3 "$work/x.db" "SELECT sum(spin_ns) FROM threads")" = 0 ] || fail "there is spinning without samples"
finish
