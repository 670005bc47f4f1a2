#!/bin/sh
# output-test.sh: -o takes the report, in any format, to a file or with - to standard output.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

ln -s "$PWD/tests/shim/truth" "$work/truth"
expect 0 "$blasprof" -F 0 -f html -o out.html -- ./truth 2 0.5 5 1
expect_silent err
grep -q '^<!doctype html>' "$work/out.html" || fail "-f html -o out.html makes no page"
[ -e "$work/blasprof.db" ] || fail "the run is not stored in blasprof.db"
expect 0 "$blasprof" -F 0 -f csv -o - -- ./truth 1 0.5 5 1
expect_says out '^experiment,threads,'
expect_silent err
expect 0 "$blasprof" report -f csv -o -
expect_says out '^experiment,threads,'
[ ! -e "$work/-" ] || fail "a file - is made"
expect 125 sh -c "'$blasprof' report -o - >/dev/full"
# What -o once named: the store.
expect_failure 125 "$blasprof" -o runs.db -- touch "$work/ran"
expect_says err "'runs.db' is a store.*-i FILE names the store"
expect_failure 125 "$blasprof" report -o runs.db
[ ! -e "$work/ran" ] && [ ! -e "$work/runs.db" ] || fail "something was made of a store's name"
finish
