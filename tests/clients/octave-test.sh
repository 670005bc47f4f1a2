#!/bin/sh
# octave-test.sh: GNU Octave's matrix products are counted.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

command -v octave-cli >/dev/null || {
	echo "SKIP: install octave"
	exit 77
}
expect 0 "$blasprof" -q -F 0 -i octave.db -- octave-cli --norc --no-history --eval \
	'a = rand(33, 21); b = rand(21, 17); for i = 1:19, c = a * b; end; disp(size(c))'
expect_says out '33 *17'
count=$(sqlite3 "$work/octave.db" "SELECT sum(calls) FROM shapes
	WHERE routine = 'dgemm_' AND m = 33 AND n = 17 AND k = 21")
[ "$count" = 19 ] || fail "$count of 19 products are counted"
finish
