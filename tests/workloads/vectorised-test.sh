#!/bin/sh
# vectorised-test.sh: every marked loop of every kernel is vectorised, according to the compiler's report.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

report=workloads/vector-report.txt
source=${srcdir:-.}/workloads/kernels.c
header=${srcdir:-.}/workloads/kernels.h

if grep -q '^no report' "$report"; then
	cat "$report"
	exit 77
fi

# Marked loops: "LINE FUNCTION".
awk '
/^[A-Za-z].*[a-z_]+\(/ { name = $0; sub(/__attribute__\(\([a-z_]*\)\)/, "", name); sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
/^[ \t]+VECTOR_(LOOP|SUM|MAX)/ { print NR, name }
' "$source" >"$work/loops"
# Lines of vectorised loops: the line of the pragma, of the loop's head, or of the start of its body.
sed -nE 's/^.*kernels\.c:([0-9]+):[0-9]+: optimized: loop vectorized.*/\1/p' "$report" |
	sort -un >"$work/lines"

while read -r line name; do
	grep -qx -e "$line" -e "$((line + 1))" -e "$((line + 2))" "$work/lines" && continue
	fail "$source:$line: this loop of $name is not vectorised"
done <"$work/loops"

# Every kernel in the header has a marked loop, or uses that of softmax_row().
kernels=$(sed -nE 's/^(void|float|double) ([a-z_]+)\(.*/\2/p' "$header")
[ -n "$kernels" ] || fail "$header: no kernel found"
for kernel in $kernels; do
	grep -q " $kernel\$" "$work/loops" && continue
	sed -n "/ $kernel(/,/^}/p" "$source" | grep -q 'softmax_row(' && continue
	fail "$kernel has no loop that is marked to vectorise"
done
echo "$(wc -l <"$work/loops") loops of $(echo "$kernels" | wc -w) kernels looked at"
finish
