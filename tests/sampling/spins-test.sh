#!/bin/sh
# spins-test.sh: loops and pools that wait count as spinning, and loops that work do not.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
may_sample || exit 77

spins=$PWD/tests/sampling/spins
rate=1997
export OPENBLAS_NUM_THREADS=1
busy=
trap '[ -z "$busy" ] || kill $busy 2>/dev/null; clean' EXIT

# profile KIND...: profiles the program; its own times are in $work/truth.
profile()
{
	record_new x.db -F $rate -- "$spins" 0.5 "$@"
	mv "$work/out" "$work/truth"
}

# compare WHAT PART WHOLE SAMPLES: the share of PART in WHOLE of each thread, columns of the store, is that which the
# program measures, within 4 points and three standard deviations for that many samples. It may be larger by the CPU
# time without samples: the kernel's timer does not fire in a thread that yields its CPU within 10 us again and again,
# as threads that spin do beside many others.
compare()
{
	[ -s "$work/truth" ] || fail "$1 printed nothing"
	while read -r kind tid did all; do
		ask x.db "SELECT $2, $3, $4, samples_blas + samples_other + samples_kernel + samples_spin,
				blas_ns - blas_waiting_ns + other_ns + spin_ns FROM threads WHERE tid = $tid" |
			awk -F '|' -v name="$kind, $1" -v did="$did" -v all="$all" -v rate=$rate '{
				want = did < all ? did / all : 1; got = $2 ? $1 / $2 : 0; rows++
				far = 0.04 + ($3 ? 3 * sqrt(want * (1 - want) / $3) : 1)
				missing = 1 - $4 / (rate * $5 / 1e9)
				printf "%s: %.1f %%, in the report %.1f %%, not sampled: %.1f %%\n", name, 100 * want, 100 * got, 100 * missing
				if (got - want > far + (missing > 0 ? missing : 0) || want - got > far) bad = 1
			} END { exit bad || !rows }' || fail "$kind, $1: the share is not that which the program measures"
	done <"$work/truth"
}

# compare_work: no time but the work of each thread is spinning.
compare_work()
{
	compare "work" other_ns "other_ns + spin_ns" "samples_spin + samples_other + samples_kernel"
}

# Not every user may sample the kernel, where a thread that yields is.
yield=yield
! "$blasprof" doctor | grep -q '^kernel samples  *no' || yield=
# shellcheck disable=SC2086 # a word or none
profile work poll lock $yield gpu pause
compare_work
[ "$(wc -l <"$work/truth")" -eq $((9 + (${#yield} > 0 ? 2 : 0))) ] || fail "there are not two threads for each kind"
# Many spinning samples follow another one; the first of a thread does not.
[ "$(ask x.db "SELECT sum(samples_spin_again) > 0, sum(samples_spin_again >= samples_spin) FROM threads WHERE samples_spin > 0")" = "1|0" ] ||
	fail "wrong samples_spin_again: $(ask x.db "SELECT samples_spin, samples_spin_again FROM threads")"
# The functions that spin are in the list of functions; so is one that is called in the loop until the GPU has finished. The
# loop itself may have no sample.
prints 'wait_with_pause,.*,spin,' report -i x.db --format=csv --table=functions
[ "$(uname -m)" != x86_64 ] || expect_says out 'spin lock in wait_for_lock,.*,spin,'
ask x.db "SELECT function FROM functions WHERE code = 'spin'" >"$work/out"
expect_says out '^add_all'

for kind in omp tasks critical; do
	profile $kind
	compare_work
done
# If the library has no names, the loop has the name of the function that the program called. Pools do not spin on one CPU.
cpus=$(nproc)
ask x.db "SELECT function FROM functions WHERE code = 'spin'" >"$work/out"
[ "$(uname -m)" != x86_64 ] || [ "$cpus" -eq 1 ] || expect_says out '^GOMP_critical_name_start$'

# The same program with the OpenMP library of LLVM, which also has the functions of GNU OpenMP.
llvm=$(ldconfig -p 2>/dev/null | sed -n 's/.*libomp\.so\.5 .* => //p' | head -n 1)
if [ -n "$llvm" ]; then
	for kind in omp tasks; do
		LD_PRELOAD=$llvm profile $kind
		compare_work
	done
fi

# Samples of the only thread that computes outside OpenMP's parallel regions are counted.
profile serial
compare "alone" samples_alone "samples_blas + samples_other" "samples_blas + samples_other"

# What the threads of OpenBLAS do between calls is not BLAS. The time that the caller waits for them inside a call is BLAS, in
# samples too.
export OPENBLAS_NUM_THREADS=2
profile pool
compare_work
# on a busy machine they may have no CPU for that
[ "$cpus" -eq 1 ] || [ "$(ask x.db "SELECT sum(samples_spin) > 0 OR sum(samples_other + samples_kernel) < 5 FROM threads WHERE calls = 0")" = 1 ] ||
	fail "idle threads of OpenBLAS are not seen spinning"
agree()
{
	expect 0 "$blasprof" report -i x.db --format=tsv --columns=f_intercepted,f_sampled
	awk 'NR == 2 { printf "pool: f %s, by samples %s\n", $1, $2; exit $2 - $1 > 0.1 || $1 - $2 > 0.1 }' "$work/out" ||
		fail "samples and interception disagree on f when pools spin"
}
agree

# Nor is the time without a CPU, which all calls have beside other programs.
for cpu in $(seq "$(nproc)"); do
	sh -c 'while :; do :; done' &
	busy="$busy $!"
done
profile pool
# shellcheck disable=SC2086 # several
kill $busy
agree

# They call sched_yield(); the place is the code of OpenBLAS that does.
ask x.db "SELECT total(samples * (object LIKE '%blas%')), total(samples) FROM functions WHERE code = 'spin'" |
	awk -F '|' '{ print "pool: " $1 " of " $2 " samples spin in OpenBLAS"; exit $1 < 0.5 * $2 }' ||
	fail "the place of idle threads of OpenBLAS is not in OpenBLAS"

# Who spins for a lock of the kernel waits in what the program called, where the kernel may be sampled. Most wait for the lock
# of the directory; the clock has one, too.
record_new x.db -F $rate -- "$spins" 0.5 files
ask x.db "SELECT total(samples * (function LIKE '%open%' OR function LIKE '%unlink%' OR function LIKE '%close%')), total(samples)
	FROM functions WHERE code = 'spin' AND function LIKE 'kernel lock in %'" |
	awk -F '|' '{ print "files: " $1 " of " $2 " samples for a lock of the kernel in open, close and unlink"; exit $2 >= 20 && $1 < 0.5 * $2 }' ||
	fail "wrong places: $(ask x.db "SELECT function, samples FROM functions WHERE function LIKE 'kernel lock in %'")"
# Only what the preload library does, as when threads end, may wait for one and be no spinning.
at_work=$(ask x.db "WITH RECURSIVE
	locks(name) AS (SELECT DISTINCT function FROM functions WHERE function LIKE '%lock_slowpath' OR function LIKE '%spin_on_owner' OR
		function = 'osq_lock'),
	up(leaf, at) AS (SELECT s.seq, s.seq FROM stacks s JOIN frames f ON f.seq = s.frame WHERE f.function IN locks
		UNION ALL SELECT leaf, s.parent FROM up JOIN stacks s ON s.seq = at WHERE s.parent >= 0),
	own(leaf) AS (SELECT DISTINCT leaf FROM up JOIN stacks s ON s.seq = at JOIN frames f ON f.seq = s.frame
		WHERE f.object LIKE '%/libblasprof.so')
	SELECT function, code, samples FROM functions WHERE (code <> 'spin' AND function LIKE 'kernel lock in %') OR
		(code = 'kernel' AND function IN locks AND (SELECT total(samples) FROM functions WHERE code = 'kernel' AND function IN locks) >
			(SELECT total(samples_callers + samples_others) FROM stacks JOIN own ON leaf = seq))")
[ -z "$at_work" ] || fail "locks of the kernel count as work: $at_work"

# Without samples there is no spinning.
record_new x.db -F 0 -- "$spins" 0.1 pause
[ "$(ask x.db "SELECT sum(spin_ns) FROM threads")" = 0 ] || fail "there is spinning without samples"
finish
