#!/bin/sh
# locks-test.sh: on a file system without locks, runs are stored, also concurrently, and a crash damages nothing.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

ends=$PWD/tests/shim/ends
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
export ASAN_OPTIONS
without="env LD_PRELOAD=$PWD/tests/cli/.libs/libno_locks.so NO_LOCKS"

runs()
{
	# shellcheck disable=SC2086 # several words
	(cd "$work" && $without=38 "$blasprof" list -i x.db) | grep -c "exit [0-9]"
}

for number in 37 38 95; do # ENOLCK, ENOSYS, EOPNOTSUPP
	rm -f "$work/x.db"
	for exits in 50 60; do
		# shellcheck disable=SC2086 # several words
		expect 0 $without=$number "$blasprof" -q -F 0 -i x.db -- "$ends" exit $exits
		expect_silent err
	done
	[ "$(runs)" = 2 ] || fail "$(runs) runs of 2 are stored without locks (error $number)"
done

pids=
for exits in 1 2 3 4 5 6; do
	# shellcheck disable=SC2086 # several words
	(cd "$work" && exec $without=38 "$blasprof" -q -F 0 -i x.db -- "$ends" exit $exits) &
	pids="$pids $!"
done
for pid in $pids; do
	wait "$pid" || fail "one of several runs at once ends with $?"
done
[ "$(runs)" = 8 ] || fail "$(runs) runs of 8 are stored by several at once"
[ ! -e "$work/x.db.lock" ] || fail "a lock is left behind"

# A crash while storing leaves a lock, which the message names, and an incomplete run, which is rolled back.
# shellcheck disable=SC2086 # several words
(cd "$work" && exec $without=38 DIE_AT_COMMIT=1 "$blasprof" -q -F 0 -i x.db -- sh -c "'$ends' exit 7; : '$work'") 2>"$work/err"
[ -e "$work/x.db-journal" ] || fail "blasprof was killed before it wrote to the store, so nothing was tested"
# shellcheck disable=SC2086 # several words
expect_failure 125 $without=38 NO_WAIT=1 "$blasprof" list -i x.db
expect_says err "x.db.lock"
rmdir "$work/x.db.lock"
[ "$(runs)" = 8 ] || fail "$(runs) runs of 8 are there after a crash"
directory=$("$blasprof" recover | grep "$work" | sed 's/ .*//')
# shellcheck disable=SC2086 # several words
expect 0 $without=38 "$blasprof" recover -q -i x.db "$directory"
[ "$(runs)" = 9 ] || fail "$(runs) runs of 9 are there after a crash and the recovery of its run"
[ -z "$SQLITE3" ] || [ "$("$SQLITE3" "$work/x.db" 'pragma integrity_check')" = ok ] || fail "the store is damaged"
finish
