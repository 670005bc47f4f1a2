#!/bin/sh
# removed-test.sh: session files that are removed or truncated during a run are reported, and the rest is kept.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

ends=$PWD/tests/shim/ends

# check CALLS COMMAND WARNING: profiles the shell command; CALLS calls are stored, with the warning.
check()
{
	rm -f "$work/x.db"
	expect 0 "$blasprof" --full -F 0 -i x.db -- sh -c "$2"
	tr '\n' ' ' <"$work/err" | tr -s ' ' | grep -q -e "$3" || fail "'$2': no '$3'" "$(cat "$work/err")"
	calls=$("$SQLITE3" "$work/x.db" "SELECT ifnull(sum(calls), 0) FROM threads")
	[ "$calls" = "$1" ] || fail "'$2': $calls calls in the store, not $1"
}

damaged="part of a process's record cannot be read"
check 20 "'$ends' exit 500; truncate -s 0 \"\$BLASPROF_SESSION\"/p.*; '$ends' exit 20" "$damaged: nothing is left of the file 'p\\."
check 20 "'$ends' exit 500; truncate -s 5000 \"\$BLASPROF_SESSION\"/p.*; '$ends' exit 20" "$damaged: process [0-9]* (ends)"
check 500 "'$ends' exit 500; rm \"\$BLASPROF_SESSION\"/session; '$ends' exit 20" "$damaged: files were removed from the session dir"
check 0 "'$ends' exit 500; rm -r \"\$BLASPROF_SESSION\"" "$damaged"
finish
