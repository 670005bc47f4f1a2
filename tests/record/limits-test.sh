#!/bin/sh
# limits-test.sh: with low resource limits, many threads or remaining processes, no call that returned is lost.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

# Descriptors that make or a harness leaves open would count towards the limits.
exec 3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-

ends=$PWD/tests/shim/ends
many=$PWD/tests/soak/many

# counted: prints the number of calls of the only run in $work/x.db.
counted()
{
	column runs calls -i x.db
}

# check CALLS STATUS WORD...: the command ends with the status, and CALLS of its calls are in the store.
check()
{
	calls=$1 status=$2
	shift 2
	rm -f "$work/x.db"
	expect "$status" "$blasprof" -q -F "${rate:-0}" -i x.db -- "$@"
	[ "$(counted)" = "$calls" ] && return
	fail "$*: $(counted) calls in the store, not $calls"
	show_output
}

# Remaining processes are waited for, but not without limit.
remaining()
{
	check 1500 0 sh -c "(sleep 0.3; exec '$ends' exit 500) & '$ends' exit 500; '$ends' exit 500; wait"
	check 1000 0 sh -c "'$ends' thread 500 & (sleep 0.2; exec '$ends' exit 500)"
	rm -f "$work/x.db"
	expect 0 "$blasprof" --full -F 0 -i x.db -- sh -c \
		"'$ends' stay 700 </dev/null >'$work/stays' 2>&1 & echo \$! >'$work/pid'
		until ls \"\$BLASPROF_SESSION\" | grep -q '^p[.]'; do sleep 0.1; done"
	expect_says err "ran on for more than 3 s"
	[ "$(counted)" = 700 ] || fail "$(counted) calls of a remaining process are in the store, not 700"
	kill "$(cat "$work/pid")"

	# This includes a daemon that has made no call yet, if it has loaded a BLAS library with a known name.
	cp "$PWD/tests/shim/.libs/libtruth_blas.so" "$work/libblas.so"
	check 1000 0 sh -c "LD_PRELOAD=\$LD_PRELOAD:$work/libblas.so exec '$ends' daemon 500"
}
beside remaining

check 1000 0 sh -c "ulimit -n 5; exec '$ends' exit 1000"
check 1000 0 sh -c "ulimit -l 0; exec '$ends' exit 1000"
# (Skipped if the program itself cannot run with this limit, for example under ThreadSanitizer.)
(ulimit -v 100000 && exec "$ends" exit 1000) 2>"$work/alone" &&
	check 1000 0 sh -c "ulimit -v 100000; exec '$ends' exit 1000"
(ulimit -s 64 && exec "$ends" threads 10) 2>"$work/alone" &&
	check 1000 0 sh -c "ulimit -s 64; exec '$ends' threads 1000"
check 1000 0 sh -c "ulimit -f 64; exec '$ends' exit 1000"
check 300 0 sh -c "ulimit -f 300; exec '$ends' threads 300"
rm -f "$work/x.db"
expect 0 "$blasprof" --full -F 0 -i x.db -- sh -c "ulimit -f 100; exec '$ends' threads 300"
expect_says err 'the limit of file sizes left no room'
expect_says err 'some calls were not recorded'
check 1000 0 sh -c "ulimit -s 128; exec '$ends' exit 1000"
# Threads get the smallest stack that the C library allows, so the first calls must use little stack.
blas_in_c
(ulimit -s 64 && exec "$train" --steps=20 2) >"$work/alone" 2>&1 &&
	expect 0 "$blasprof" -q -F 0 -i x.db -- sh -c "ulimit -s 64; exec '$train' --steps=20 2"
unset OPENBLAS_CORETYPE
check 1000 0 sh -c "ulimit -u 4000; exec '$ends' thread 1000"
check 1000 0 sh -c "ulimit -c 0; '$ends' exit 400; '$ends' exit 600"

# threads at once, threads in turn, and processes
check 2000 0 "$many" threads 1000 2
check 3000 0 "$many" turns 3000 1
check 300 0 "$many" children 100 3
check 300 0 "$many" forks 100 3
rate=299
check 300 0 "$many" forks 100 3
rate=0

# blasprof itself started with little stack still finds names and lines, and the command inherits the limit. Kernels of
# OpenBLAS in assembler need more, if ThreadSanitizer's frames come on top.
little=128
until (ulimit -s $little && exec "$train" --steps=2 1) >"$work/alone" 2>&1 || [ $little -ge 1024 ]; do
	little=$((2 * little))
done
rm -f "$work/x.db"
expect 0 sh -c "ulimit -s $little; exec '$blasprof' -q -F 1000 -i x.db -- sh -c 'ulimit -s; exec $train --steps=60 1'"
[ "$(head -n 1 "$work/out")" = $little ] || fail "with a limit of $little the command has $(head -n 1 "$work/out")"
named=$("$SQLITE3" "$work/x.db" "SELECT count(*) FROM functions WHERE object LIKE '%train' AND line > 0")
[ "${named:-0}" -gt 0 ] || ! may_sample || fail "no source line of the program is found with little stack"

# Limits that affect blasprof itself are reported, with a remedy, before the command runs.
record_new x.db -F 0 -- "$ends" shapes 300
for limit in "n 4" "n 5" "n 6" "f 1" "f 8" "f 16"; do
	for store in x.db new.db; do
		expect_failure 125 sh -c "ulimit -$limit; exec '$blasprof' -q -F 0 -i $store -- sh -c ': >$work/ran'"
		expect_says err "(ulimit -${limit% *})"
		[ ! -e "$work/ran" ] || fail "-$limit: the command runs, and is not recorded"
	done
done

# --follow decides whose calls count.
family="'$ends' exit 100; '$ends' fork 20; exec '$ends' fork 3"
check 146 0 sh -c "$family"
expect 0 "$blasprof" -q -F 0 --follow=forks -i forks.db -- sh -c "$family"
expect 0 "$blasprof" -q -F 0 --follow=none -i none.db -- sh -c "$family"
mv "$work/forks.db" "$work/x.db"
[ "$(counted)" = 6 ] || fail "$(counted) calls with --follow=forks, not 6"
mv "$work/none.db" "$work/x.db"
[ "$(counted)" = 3 ] || fail "$(counted) calls with --follow=none, not 3"

# A process without the preload library is reported.
expect 0 "$blasprof" --full -F 0 -i clear.db -- env -i "$train" --steps=400 1
expect_says err "no BLAS call could be seen in .*: some processes ran without the preload library"
# A sample in the program's own function gemm_tn() counts as matrix work, so that there may be a report.
expect 0 "$blasprof" --full -F 1000 -i clear.db -- env -i "$train" --steps=100 1
expect_says err "some processes ran without the preload library"
# Its threads compute, although it is BLAS's code that they execute most (but not with ThreadSanitizer).
if ! ldd "$train" | grep -q libtsan && may_sample; then
	expect 0 "$blasprof" --full -F 1000 -i unseen.db -- env -i OPENBLAS_NUM_THREADS=1 "$train" --steps=20 --hidden=512 2
	expect_says err 'no BLAS call was seen, but [0-9]* % of the work is in BLAS, by samples'
	! grep 'train .*BLAS worker' "$work/err" || fail "threads of BLAS without a call that they work for"
fi

# The time for a command with very many words grows only linearly.
# shellcheck disable=SC2016 # the inner shell's own variables
expect 0 sh -c 'ulimit -t 8; exec "$@"' sh "$blasprof" -q -F 0 -i words.db -- "$ends" exit 5 $(seq 100000)
together
finish
