#!/bin/sh
# tutorial-test.sh: the commands of the tutorial run in order, and print the output that it shows.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/man/examples.sh"

make_place tutorial
run_examples "$srcdir/doc/tutorial.md" markdown
[ $ran -ge 6 ] || fail "few commands in the tutorial"
[ $skipped -le 2 ] || fail "$skipped commands of the tutorial did not run"
finish
