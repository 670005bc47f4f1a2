#!/bin/sh
# firefox-test.sh: the profile for the Firefox Profiler conforms to its format and has every sample with a stack.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
here=$(cd "${srcdir:-.}" && pwd)

expect 0 "$blasprof" -q -F 2000 --roi=process -i store.db -- "$train" --steps=60 2
samples=$("${SQLITE3:-sqlite3}" "$work/store.db" "SELECT sum(samples_callers + samples_others) FROM stacks")
[ "$samples" -gt 0 ] || fail "there are no samples in stacks"
expect 0 "$blasprof" report -i store.db --format firefox --output profile.json
expect 0 python3 "$here/tests/write/read_firefox.py" profile.json "$samples"
expect_says out "BLAS.*Other code"

# A run without stacks and a full disk are errors with a remedy.
expect 0 "$blasprof" -q --call-graph=none -i none.db -- "$train" --steps=5 2
expect_failure 125 "$blasprof" report -i none.db --format firefox
expect_failure 125 "$blasprof" report -i store.db --format firefox --output /dev/full
finish
