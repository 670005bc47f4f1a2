#!/bin/sh
# version-test.sh: if the preload library does not know the session's version, blasprof says so and the program runs.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

# The version is the number at byte 8 of the control file.
expect 0 "$blasprof" -F 0 -q -- sh -c "printf '\\377' | dd of=\"\$BLASPROF_SESSION/session\" bs=1 seek=8 conv=notrunc 2>dd
	exec '$PWD/tests/shim/ends' exit 1000"
expect_says err 'the preload library is of another version than blasprof: process [0-9]* (ends); install'
finish
