#!/bin/sh
# exact-test.sh: blasprof on an emulated arm64 machine: see guest-exact.sh for what must hold there.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/vm/vm.sh"
prepare
boot 600 exact -smp 1 -icount shift=0,sleep=off
