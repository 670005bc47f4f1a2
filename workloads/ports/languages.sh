#!/bin/sh
# languages.sh: profiles the transformer in every language with 1, 2 and 4 threads, and prints a table.
# SPDX-License-Identifier: MIT
#
# `make languages' runs it in the build folder. LANGUAGES are the ports (default: all that are installed), SECONDS_EACH is the
# duration of a run with one thread (2), RUNS the number of runs with each thread count (1).
# shellcheck source=/dev/null
. "$srcdir/workloads/ports/ports.sh"
work=$(mktemp -d "$PWD/languages-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
seconds=${SECONDS_EACH:-2}

# steps_for RATE: prints the number of steps, rounded, that take about $seconds at this rate.
steps_for()
{
	awk -v rate="$1" -v seconds="$seconds" 'BEGIN { n = int(rate * seconds / 20) * 20; print n < 20 ? 20 : n }'
}

# rate_at THREADS FILE: prints the median steps per second of the runs with this thread count.
rate_at()
{
	awk -v wanted="$1" '{ for (i = 1; i < NF; i++) if ($i == "threads" && $(i + 1) == wanted) print $2 }' "$2" | sort -g |
		awk '{ x[NR] = $1 } END { if (NR) print x[int((NR + 1) / 2)]; else print "-" }'
}

# profiled COLUMN THREADS: prints a value of the report's threads table; - if there is none.
profiled()
{
	[ -s "$work/threads.csv" ] || { echo -; return; }
	awk -F, -v column="$1" -v threads="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["threads"] == threads { cell = $at[column] } END { print cell == "" ? "-" : cell }' "$work/threads.csv"
}

# calls_per_step STEPS: prints the cblas_sgemm calls per step with one thread.
calls_per_step()
{
	"$PWD/blasprof" report -i "$work/db" -f csv -t shapes -n 0 2>/dev/null |
		awk -F, -v steps="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
			NR > 1 && $at["threads"] == 1 && $at["routine"] == "cblas_sgemm" { calls += $at["calls"] }
			END { if (calls) print calls / steps; else print "-" }'
}

# set_counts NAME: sets $counts to the thread counts. Julia may refuse more threads than CPUs.
set_counts()
{
	counts=1,2,4
	[ "$1" = julia ] && [ "$("${JULIA:-julia}" --threads=4 -e 'print(Threads.nthreads())')" != 4 ] || return 0
	counts=1,2
	skipped="$skipped
  julia with 4 threads: it allows no more than there are CPUs"
}

# measure NAME PASS: runs one pass under blasprof, and adds its row to the table.
measure()
{
	rm -f "$work/db" "$work/threads.csv"
	set_command "$1" "$2" 1
	# shellcheck disable=SC2086 # a list of words
	$command --steps 50 >"$work/trial" || return 1
	steps=$(steps_for "$(awk 'END { print $2 }' "$work/trial")")
	set_command "$1" "$2" "{}"
	# shellcheck disable=SC2086
	"$PWD/blasprof" -q -i "$work/db" -t "$counts" -w 0 -r "${RUNS:-1}" $roi -- \
		tests/bench/usage "$work/rss.$1.$2.{}" $command --steps "$steps" >"$work/out" 2>"$work/err" || return 1
	"$PWD/blasprof" report -i "$work/db" -f csv -t threads >"$work/threads.csv" 2>/dev/null
	row="$1"
	for threads in 1 2 4; do
		row="$row $(rate_at $threads "$work/out")"
	done
	row="$row $(profiled f_intercepted 1) $(profiled f_sampled 1) $(calls_per_step "$steps")"
	for threads in 2 4; do
		row="$row $(profiled speedup_queue $threads) $(profiled speedup_replay $threads)"
	done
	echo "$row" >>"$work/rows.$2"
}

print_pass()
{
	[ -s "$work/rows.$1" ] || return
	printf '\n%-8s%24s%16s%14s%8s%14s%14s\n' "$1" "$2 by threads" "measured" "BLAS share" "sgemm" "2 threads" "4 threads"
	printf '%-8s%8s%8s%8s%8s%8s%7s%7s%8s%7s%7s%7s%7s\n' language 1 2 4 T2/T1 T4/T1 "f int" "f smp" "a step" queue replay queue replay
	awk 'function cell(x, format, width) { return sprintf("%" width "s", x == "-" ? x : sprintf(format, x)) }
		function ratio(a, b) { return cell(a == "-" || b == "-" ? "-" : a / b, "%.2f", 8) }
		{ printf "%-8s%s%s%s%s%s%s%s%8s%s%s%s%s\n", $1, cell($2, "%.0f", 8), cell($3, "%.0f", 8), cell($4, "%.0f", 8),
			ratio($3, $2), ratio($4, $2), cell($5, "%.3f", 7), cell($6, "%.3f", 7), $7,
			cell($8, "%.2f", 7), cell($9, "%.2f", 7), cell($10, "%.2f", 7), cell($11, "%.2f", 7) }' "$work/rows.$1"
}

# measure_kernels NAME: adds a row with the port's times of softmax and RMSNorm, its memory and its allocations.
measure_kernels()
{
	set_command "$1" kernels 1
	$command >"$work/kernels" || return 1
	for pass in train infer; do
		cut -d " " -f 1 "$work/rss.$1.$pass.1" 2>/dev/null || echo 0
	done | tr '\n' ' ' | awk -v name="$1" -v train="$(allocations "$1" train)" -v infer="$(allocations "$1" infer)" -v softmax="$(value softmax-us "$work/kernels")" \
		-v rmsnorm="$(value rmsnorm-us "$work/kernels")" -v call="$(value call-us "$work/kernels")" \
		'{ printf "%-8s%12.2f%12.2f%10.2f%11.1f%11.1f%12s%12s\n", name, softmax, rmsnorm, call, $1 / 1024, $2 / 1024, train, infer }' >>"$work/rows.kernels"
}

skipped=
for port in ${LANGUAGES:-$ports}; do
	if ! build_port "$port"; then
		skipped="$skipped
  $port: $missing"
		continue
	fi
	set_counts "$port"
	for pass in train infer; do
		echo "languages: $port $pass" >&2
		measure "$port" "$pass" || { cat "$work/err" >&2; echo "languages: $port $pass failed" >&2; failed=1; }
	done
	measure_kernels "$port" || failed=1
done
echo "The mixture-of-experts transformer in several languages, on $(nproc) CPUs, under blasprof."
echo "T2/T1, T4/T1: speed-up over 1 thread; queue, replay: predictions of these models from f with 1 thread."
[ "$(nproc)" -ge 4 ] || echo "4 threads are more than there are CPUs: their speed-up says little about the models."
print_pass train "steps per second"
print_pass infer "steps per second"
printf '\n%-8s%12s%12s%10s%11s%11s%12s%12s\n' language "softmax us" "RMSNorm us" "call us" "train MiB" "infer MiB" "train alloc" "infer alloc"
cat "$work/rows.kernels"
echo "softmax: causal, 64 x 64; RMSNorm: 64 x 64; call: a product of 2 x 2; MiB: largest resident size with 1 thread;"
echo "alloc: allocations per step with 1 thread."
[ -z "$skipped" ] || echo "Left out:$skipped"
exit "${failed:-0}"
