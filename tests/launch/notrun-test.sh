#!/bin/sh
# notrun-test.sh: a command that cannot run gives the exit status of a shell, and a remedy.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

expect_failure 127 "$blasprof" -- no-such-command-here
expect_says err no-such-command-here
expect_failure 127 "$blasprof" -- ./no/such/file
expect_failure 127 "$blasprof" reprot
expect_says err "not found: reprot; .*the nearest subcommand is 'report'"
expect_failure 127 "$blasprof" -- "train --steps=100 2"
expect_says err '; check the name, or leave out the quotes'
expect_failure 127 "$blasprof" -- OMP_NUM_THREADS=2 ./train
expect_says err '; write env before it'
expect_failure 127 "$blasprof" -- ''
echo text >"$work/plain"
expect_failure 126 "$blasprof" -- ./plain
expect_says err "plain.*Permission denied"
expect_failure 126 "$blasprof" -- "$work"
expect_says err "is a directory; name a program in it"
printf '#!/no/such/interpreter\n' >"$work/script"
chmod +x "$work/script"
expect_failure 127 "$blasprof" -- ./script
expect_says err "its interpreter '/no/such/interpreter' does not exist; install"
printf '#!/bin/sh\r\n' >"$work/script"
expect_failure 127 "$blasprof" -- ./script
expect_says err "'/bin/sh\\\\r' does not exist; .*dos2unix"
stored 0
finish
