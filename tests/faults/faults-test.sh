#!/bin/sh
# faults-test.sh: a sample of the faults of `make faults'.
# SPDX-License-Identifier: MIT
[ -z "$ASAN_OPTIONS" ] || { echo "AddressSanitizer's allocator cannot fail in this way" && exit 77; }
set -- 25 600
. "${srcdir:-.}/tests/faults/faults.sh"
