#!/bin/sh
# spins-test.sh: loops and pools that wait count as spinning, and loops that work do not.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

spins=$PWD/tests/sampling/spins
export OPENBLAS_NUM_THREADS=1
seconds=1

# profile KIND [VARIABLE=VALUE]...: profiles the program; its own times are in $work/truth.
profile()
{
	kind=$1
	shift
	rm -f "$work/x.db"
	expect 0 env "$@" "$blasprof" -F 997 -q -i x.db -- "$spins" "$kind" $seconds
	cp "$work/out" "$work/truth"
	cp "$work/x.db" "$work/$kind.db"
}

# compare KIND: the share of spinning of each thread is that which the program measures, within 4 points and three standard
# deviations.
compare()
{
	[ -s "$work/truth" ] || fail "$1 printed nothing"
	while read -r tid did all; do
		sqlite3 -separator ' ' "$work/x.db" "SELECT spin_ns, other_ns + spin_ns, samples_spin + samples_other + samples_kernel FROM threads WHERE tid = $tid" |
			awk -v kind=$1 -v did="$did" -v all="$all" '{
				want = did < all ? 1 - did / all : 0; got = $2 ? $1 / $2 : 0; rows++
				far = 0.04 + ($3 ? 3 * sqrt(want * (1 - want) / $3) : 1)
				printf "%s: %.1f %% spinning, in the report %.1f %%\n", kind, 100 * want, 100 * got
				if (got - want > far || want - got > far) bad = 1
			} END { exit bad || !rows }' || fail "$1: the share of spinning is not that which the program measures"
	done <"$work/truth"
}

profile work
if ! sqlite3 "$work/x.db" "SELECT samples FROM runs" | grep -qv '^0$'; then
	echo "SKIP: this user may not sample (sysctl kernel.perf_event_paranoid)"
	exit 77
fi
compare work
for kind in poll lock yield gpu omp critical pause; do
	profile $kind
	compare $kind
done
# The function that spins is in the list of functions.
expect 0 "$blasprof" report -i x.db --format=csv --table=functions
expect_says out 'wait_with_pause,.*,spin,'

# If the library has no names, the loop has the name of the function that the program called.
sqlite3 "$work/critical.db" "SELECT function FROM functions WHERE code = 'spin'" >"$work/out"
[ "$(uname -m)" != x86_64 ] || expect_says out '^GOMP_critical_name_start$'

# A function called in the loop until the GPU has finished counts as spinning. The loop itself may have no sample.
sqlite3 "$work/gpu.db" "SELECT function FROM functions WHERE code = 'spin'" >"$work/out"
expect_says out '^add_all'

# The same program with the OpenMP library of LLVM, which also has the functions of GNU OpenMP.
llvm=$(ldconfig -p 2>/dev/null | sed -n 's/.*libomp\.so\.5 .* => //p' | head -n 1)
if [ -n "$llvm" ]; then
	profile omp LD_PRELOAD="$llvm"
	compare omp-llvm
fi

# Samples of the only thread that computes outside OpenMP's parallel regions are counted.
profile serial
while read -r tid did all; do
	sqlite3 -separator ' ' "$work/x.db" "SELECT samples_alone, samples_blas + samples_other FROM threads WHERE tid = $tid" |
		awk -v did="$did" -v all="$all" '{
			want = did / all; got = $2 ? $1 / $2 : 0; rows++
			far = 0.04 + ($2 ? 3 * sqrt(want * (1 - want) / $2) : 1)
			printf "serial: %.1f %% alone, in the report %.1f %%\n", 100 * want, 100 * got
			if (got - want > far || want - got > far) bad = 1
		} END { exit bad || !rows }' || fail "the share that one thread computes alone is not that which the program measures"
done <"$work/truth"

# What the threads of OpenBLAS do between calls is not BLAS. The time that the caller waits for them inside a call is BLAS, in
# samples too.
profile pool OPENBLAS_NUM_THREADS=2
compare pool
# on a busy machine they may have no CPU for that
[ "$(sqlite3 "$work/x.db" "SELECT sum(samples_spin) > 0 OR sum(samples_other + samples_kernel) < 5 FROM threads WHERE calls = 0")" = 1 ] ||
	fail "idle threads of OpenBLAS are not seen spinning"
expect 0 "$blasprof" report -i x.db --format=tsv --columns=f_intercepted,f_sampled
awk 'NR == 2 { printf "pool: f %s, by samples %s\n", $1, $2; exit $2 - $1 > 0.1 || $1 - $2 > 0.1 }' "$work/out" ||
	fail "samples and interception disagree on f when pools spin"

# Without samples there is no spinning.
rm -f "$work/x.db"
expect 0 "$blasprof" -F 0 -q -i x.db -- "$spins" pause 0.1
[ "$(sqlite3 "$work/x.db" "SELECT sum(spin_ns) FROM threads")" = 0 ] || fail "there is spinning without samples"
finish
