#!/bin/sh
# format-test.sh: lists the C files that clang-format would change.
# SPDX-License-Identifier: MIT
cd "${srcdir:-.}" || exit 99
format=${CLANG_FORMAT:-clang-format}
# Other versions format some lines differently. In a release, git does not know the files.
case $($format --version 2>&1) in *"version 14."*) ;; *) exit 77 ;; esac
files=$(git ls-files 'profiler/*.[ch]' 'analysis/*.[ch]' 'workloads/*.[ch]' 'man/*.[ch]' 'tests/*.[ch]') || exit 77
[ "$(echo "$files" | wc -l)" -ge 300 ] || { echo "FAIL: found few files"; exit 1; }

# shellcheck disable=SC2086 # a list of words
differing=$($format --dry-run $files 2>&1 | sed -n 's/^\([^ :]*\):[0-9]*:[0-9]*: .*clang-formatted.*/\1/p' | sort -u)
[ -n "$differing" ] || exit 0
echo "FAIL: clang-format -i would change:"
echo "$differing"
exit 1
