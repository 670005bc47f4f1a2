#!/bin/sh
# faults-test.sh: some of the faults that `make faults' makes one by one.
# SPDX-License-Identifier: MIT
[ -z "$ASAN_OPTIONS" ] || { echo "AddressSanitizer's allocator fails in no such way" && exit 77; }
. "${srcdir:-.}/tests/faults/faults.sh" 25 600
