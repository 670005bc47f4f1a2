#!/bin/sh
# buffers-test.sh: threads that queue for a unit have buffers of their own in OpenBLAS, and its pool is never emptied.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

buffers=$PWD/tests/shim/buffers
case $(uname -m) in
x86_64 | aarch64) ;;
*)
	echo "threads share OpenBLAS's buffers on $(uname -m)"
	exit 77
	;;
esac

# check PARENT CHILD OPTIONS LIBRARY THREADS M: what the program says of itself and of its forked child.
check()
{
	# shellcheck disable=SC2086 # several words
	expect 0 "$blasprof" -q -F 0 -o buffers.db $3 -- "$buffers" "$PWD/tests/shim/.libs/lib$4.so" "$5" "$6"
	expect_says out "^parent had $1\$"
	expect_says out "^child had $2\$"
	expect_silent err
}

alike="1, each at most 1, taken 0"
for library in pool_blas pool_blas_sealed; do
	# As they are, all take the first one.
	check "$alike" "$alike" "" $library 3 1
	check "$alike" "$alike" "--what-if=blas=1.5x" $library 3 1
	# Two of four may keep one; the others share what is free next.
	check "2, each at most 1, taken 2" "2, each at most 1, taken 2" "--what-if=units=1" $library 2 1
	check "3, each at most 1, taken 2" "3, each at most 1, taken 2" "--what-if=units=1" $library 3 1
	check "3, each at most 1, taken 2" "3, each at most 1, taken 2" "--what-if=units=2" $library 12 1
	# Calls that take a second one get it from the pool: at first the one that the second thread keeps later.
	check "3, each at most 3, taken 2" "3, each at most 2, taken 2" "--what-if=units=1" $library 2 2
done
# A library that gives each thread one itself is left alone, and so are programs whose addresses are counted.
check "$alike" "$alike" "--what-if=units=1" pool_blas_own 3 1
# ThreadSanitizer takes more of these than there would be.
if (ulimit -v 8000000 && exec "$buffers" "$PWD/tests/shim/.libs/libpool_blas.so" 3 1) >"$work/out" 2>&1; then
	program=$buffers
	buffers=$work/limited
	for limit in -v -d; do
		printf '#!/bin/sh\nulimit %s 8000000\nexec "%s" "$@"\n' "$limit" "$program" >"$buffers"
		chmod +x "$buffers"
		check "$alike" "$alike" "--what-if=units=1" pool_blas 3 1
	done
fi
finish
