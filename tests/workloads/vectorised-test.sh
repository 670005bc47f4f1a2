#!/bin/sh
# vectorised-test.sh: the compiler's report says that every marked loop of every kernel is vectorised.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

report=workloads/vector-report.txt
source=${srcdir:-.}/workloads/kernels.c
header=${srcdir:-.}/workloads/kernels.h

if grep -q '^no report' "$report"; then
	cat "$report"
	exit 77
fi

# Marked loops by line, with the function that they are in: "LINE FUNCTION".
awk '
/^[A-Za-z].*[a-z_]+\(/ { name = $0; sub(/__attribute__\(\([a-z_]*\)\)/, "", name); sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
/^[ \t]+VECTOR_(LOOP|SUM|MAX)/ { print NR, name }
' "$source" >"$work/loops"
# Vectorised loops by line: that of the pragma, of the loop's head or of its body's beginning.
sed -nE 's/^.*kernels\.c:([0-9]+):[0-9]+: optimized: loop vectorized.*/\1/p' "$report" |
	sort -un >"$work/lines"

while read -r line name; do
	grep -qx -e "$line" -e "$((line + 1))" -e "$((line + 2))" "$work/lines" && continue
	fail "$source:$line: this loop of $name is not vectorised"
done <"$work/loops"

# Every kernel of the header has a marked loop, its own or softmax_row's.
kernels=$(sed -nE 's/^(void|float|double) ([a-z_]+)\(.*/\2/p' "$header")
[ -n "$kernels" ] || fail "$header: no kernel found"
for kernel in $kernels; do
	grep -q " $kernel\$" "$work/loops" && continue
	sed -n "/ $kernel(/,/^}/p" "$source" | grep -q 'softmax_row(' && continue
	fail "$kernel has no loop that is marked to vectorise"
done
echo "$(wc -l <"$work/loops") loops of $(echo "$kernels" | wc -w) kernels looked at"
finish
