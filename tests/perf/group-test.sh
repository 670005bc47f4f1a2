#!/bin/sh
# group-test.sh: a group of events that is larger than the machine's counters, on a kernel that has two.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

few=$PWD/tests/perf/.libs/few_counters.so

# counted EVENT: what it counted in the newest run.
counted()
{
	sqlite3 "$work/x.db" "SELECT cast(count AS integer) FROM counters WHERE event = '$1'"
}

# What does not fit is counted by itself, the rest of the group together, and the run is as any other.
for error in 22 28; do
	rm -f "$work/x.db"
	expect 0 env LD_PRELOAD="$few" FEW_COUNTERS_ERRNO=$error "$blasprof" --full -i x.db -e '{cycles,instructions,cache-misses}' -- \
		"$train" 1 --steps=60
	if grep -q "this user may not" "$work/err"; then
		echo "SKIP: this user may not count events (sysctl kernel.perf_event_paranoid)"
		exit 77
	fi
	expect_says err 'a group of events is larger than .*cache-misses'
	for event in cycles instructions cache-misses; do
		[ "$(counted $event)" -gt 1000000 ] || fail "$event: $(counted $event) counted after errno $error"
	done
	[ "$(sqlite3 "$work/x.db" "SELECT count(*) FROM notes WHERE code = 'counter_group'")" = 1 ] ||
		fail "not one event is said to be too many after errno $error"
done

# A group that fits is said nothing of.
expect 0 env LD_PRELOAD="$few" "$blasprof" --full -i x.db -e '{cycles,instructions}' -- "$train" 1 --steps=20
grep -q 'group of events' "$work/err" && fail "two events are said to be too many"

# Names that nobody knows: those that are near, and the run goes on.
expect 0 env LD_PRELOAD="$few" "$blasprof" --full -i x.db -e cycels,instructions -- "$train" 1 --steps=20
expect_says err "unknown event 'cycels'"
expect_says err 'the nearest are.*[Cc][Yy][Cc][Ll][Ee][Ss]'
finish
