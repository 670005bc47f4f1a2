#!/bin/sh
# parallel-test.sh: blasprof on an emulated arm64 machine: see guest-parallel.sh for what must hold there.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/vm/vm.sh"
prepare
boot 300 parallel -smp 2
