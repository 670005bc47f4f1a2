#!/bin/sh
# guest.sh: runs one script of tests in the guest, and prints the result.
# SPDX-License-Identifier: MIT
cd /tmp || exit 99
PATH=/blasprof:$PATH
failures=0
tests=0
# Arithmetic is slow here, about 0.05 GFLOP/s: uses the smallest model with short sequences.
size="--sequence=16 --blocks=1 --experts=2"
small="train $size"

# check WHAT WORD...: one test, which passes if the words succeed; else prints the last report.
check()
{
	what=$1
	shift
	tests=$((tests + 1))
	if "$@"; then
		echo "PASS: $what"
		return
	fi
	failures=$((failures + 1))
	echo "FAIL: $what: $*"
	sed 's/^/  /' report.txt 2>/dev/null | head -n 60
}

# profile WORD...: runs blasprof with these words; writes report.txt, and the output of the program to output.txt.
profile()
{
	rm -f blasprof.db report.txt output.txt
	blasprof --full --output=report.txt "$@" >output.txt 2>errors.txt || { cat errors.txt >>report.txt; echo "ended with $?" >>report.txt; }
}

# cell TABLE COLUMN [NAME]: prints the value in the row whose second column is NAME; in the first row without NAME.
cell()
{
	blasprof report -f csv --table "$1" | tr -d '\r' | awk -F, -v column="$2" -v name="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) c = i; next }
		name == "" || $2 == name { print $c; exit }'
}

# near A B SHARE: succeeds if they differ by at most SHARE * B.
near()
{
	awk -v a="$1" -v b="$2" -v share="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(a != "" && d <= share * b) }'
}

# over A B: succeeds if A is larger.
over()
{
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && b != "" && a > b + 0) }'
}

# The report wraps its sentences, which may split the text.
says()
{
	grep -q -e "$1" report.txt || tr -s '\n ' '  ' <report.txt | grep -q -e "$1"
}

says_not()
{
	! grep -q -e "$1" report.txt
}

echo "$1 on $(uname -m) $(uname -r), $(grep -c ^processor /proc/cpuinfo) CPUs"
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
. "/blasprof/guest-$1.sh"
echo "$tests tests, $failures failed"
[ "$failures" -eq 0 ]
