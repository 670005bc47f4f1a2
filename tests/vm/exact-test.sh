#!/bin/sh
# exact-test.sh: runs the tests of guest-exact.sh on an emulated arm64 machine.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/vm/vm.sh"
prepare
boot 600 exact -smp 1 -icount shift=0,sleep=off
