#!/bin/sh
# recover-test.sh: the session that a killed blasprof leaves behind is found, with every call that returned.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

ends=$PWD/tests/shim/ends
mkfifo "$work/go"

# left PATTERN: prints the line of this test's session in the list if it matches.
left()
{
	"$blasprof" recover | grep "$work" | grep -e "$1"
}

# kill_profiler: kills the profiler of a program that makes 1000 calls, waits, and makes 500 more.
kill_profiler()
{
	rm -f "$work/ready"
	"$blasprof" -q -F 0 -i "$work/never.db" -- sh -c \
		"'$ends' exit 1000; : >'$work/ready'; read -r line <'$work/go'; '$ends' _exit 500" &
	profiler=$!
	eventually test -e "$work/ready" || fail "the program does not make its first calls"
	left . >"$work/out" && fail "a session of a running blasprof is listed"
	kill -KILL $profiler
	wait $profiler 2>"$work/waited"
}

for place in . "$work/none"; do
	expect_failure 125 env BLASPROF_TMPDIR="$place" "$blasprof" -q -- sh -c ': >ran'
	expect_says err "cannot create a session directory in $place"
	[ ! -e "$work/ran" ] || fail "the command runs without a session"
done

kill_profiler
eventually left "still runs" || fail "the session is not listed"
"$blasprof" recover | tail -n 1 | grep -q '^-> .*recover DIRECTORY' || fail "the list does not end with what to do next"
directory=$(left . | sed 's/ .*//')
fails_with "still writes" recover "$directory"
expect_failure 125 "$blasprof" recover --discard "$directory"
prints "left behind" doctor
echo >"$work/go"
eventually sh -c "! '$blasprof' recover | grep '$work' | grep 'still runs'" || fail "the program does not end"
expect 0 "$blasprof" recover -q --keep -i kept.db "$directory"
expect_silent out
prints "^This run is in the store 'kept.db' already, as run 1\.$" recover --keep -i kept.db "$directory"
prints "was recovered" recover "$directory"
expect_says out '^All tables.*: blasprof report --full$'
for store in kept blasprof; do
	calls=$(column shapes calls -i $store.db | sum)
	[ "$calls" -eq 1500 ] || fail "$calls calls in $store.db, not 1500"
done
[ ! -e "$directory" ] || fail "the session is still there"
[ ! -e "$work/never.db" ] || [ "$("$blasprof" list -i "$work/never.db" | wc -l)" -eq 1 ] || fail "a run of a killed blasprof is stored"
expect_failure 125 "$blasprof" recover "$directory"

kill_profiler
echo >"$work/go"
eventually sh -c "'$blasprof' recover | grep '$work' | grep -v 'still runs'" || fail "the program does not end"
directory=$(left . | sed 's/ .*//')
expect 0 "$blasprof" recover --discard "$directory"
[ ! -e "$directory" ] || fail "the discarded session is still there"

# The session of a profiler in another PID namespace, whose pids are here those of process 1 and this shell.
foreign=$(mktemp -d "$BLASPROF_TMPDIR/blasprof-XXXXXX")
expect 0 "$blasprof" -q -F 0 -i x.db -- sh -c "'$ends' exit 10; cp \"\$BLASPROF_SESSION\"/* '$foreign' && chmod 600 '$foreign'/*"
number()
{
	for shift in 0 8 16 24; do
		# shellcheck disable=SC2059 # an octal escape
		printf "$(printf '\\%o' $(($1 >> shift & 255)))"
	done
}
(number 1; number $$) | dd of="$foreign/session" bs=1 seek=84 conv=notrunc 2>"$work/dd"
"$blasprof" recover | grep "^$foreign " >"$work/out" || fail "the session of another namespace is not listed"
grep -q "still runs" "$work/out" && fail "the session of another namespace is listed as running"
expect_failure 125 timeout 600 "$blasprof" top --pid=1 --count=1
expect_says err "is in no run of blasprof"
prints "was recovered" recover "$foreign"
[ ! -e "$foreign" ] || fail "the recovered session of another namespace is still there"
finish
