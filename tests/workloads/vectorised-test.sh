#!/bin/sh
# vectorised-test.sh: the compiler's report says that every marked loop of every kernel is vectorised.
# SPDX-License-Identifier: MIT
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
' "$source" >vectorised.loops
# Vectorised loops by line: that of the pragma, of the loop's head or of its body's beginning.
sed -nE 's/^.*kernels\.c:([0-9]+):[0-9]+: optimized: loop vectorized.*/\1/p' "$report" |
	sort -un >vectorised.lines

failures=0
while read -r line name; do
	grep -qx -e "$line" -e "$((line + 1))" -e "$((line + 2))" vectorised.lines && continue
	echo "$source:$line: this loop of $name is not vectorised" >&2
	failures=$((failures + 1))
done <vectorised.loops

# Every kernel of the header has a marked loop, its own or softmax_row's.
kernels=$(sed -nE 's/^(void|float|double) ([a-z_]+)\(.*/\2/p' "$header")
[ -n "$kernels" ] || { echo "$header: no kernel found" >&2; failures=1; }
for kernel in $kernels; do
	grep -q " $kernel\$" vectorised.loops && continue
	sed -n "/ $kernel(/,/^}/p" "$source" | grep -q 'softmax_row(' && continue
	echo "$kernel has no loop that is marked to vectorise" >&2
	failures=$((failures + 1))
done
echo "$(wc -l <vectorised.loops) loops of $(echo "$kernels" | wc -w) kernels looked at"
rm -f vectorised.loops vectorised.lines
exit $((failures > 0))
