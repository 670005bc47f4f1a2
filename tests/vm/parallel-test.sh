#!/bin/sh
# parallel-test.sh: runs the tests of guest-parallel.sh on an emulated arm64 machine.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/vm/vm.sh"
prepare
boot 400 parallel -smp 2,threads=2
