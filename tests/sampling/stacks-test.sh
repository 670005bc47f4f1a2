#!/bin/sh
# stacks-test.sh: samples have call stacks, by default down to the start of the thread, and no sample is lost.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
may_sample || exit 77
blas_in_c
truth=$PWD/tests/shim/truth

# samples TABLE: prints the sum of the samples in a table of the last run.
samples()
{
	column "$1" samples -i $store | sum
}

# record MODE [OPTION [HZ]]: records a run in MODE.db, all of whose samples count.
record()
{
	store=$1.db
	expect 0 "$blasprof" ${2-"--call-graph=$1"} -F "${3-2000}" --roi=process -w 0 -t 2 -q -i $store -- "$train" --steps=300 2
}

# are_whole: nearly all stacks of the last run reach the start of their thread.
are_whole()
{
	expect 0 "$blasprof" report --store=$store --format=tsv --table=stacks
	awk -F '\t' 'NR > 1 { all += $5; whole += $3 * $5 } END { exit !(whole > 0.95 * all) }' "$work/out" ||
		fail "$store: too many stacks are truncated"
}

record default -q
[ "$(samples runs)" -gt 100 ] || fail "there are hardly any samples"
attributed=$(samples functions)
[ "$(samples stacks)" -eq "$attributed" ] ||
	fail "the stacks have $(samples stacks) samples, the functions $attributed"
are_whole
# If libc is stripped, the start of a thread has no name.
expect_says out '\(start_thread\|libc[^;]*+0x[0-9a-f]*\);.*worker_main;.*;cblas_sgemm;'
prints '^Call stacks with most samples at 2 threads' report --full --store=$store
expect_says out '^Each function is called by the one after it. [0-4]\.[0-9] % of the samples have an'

# Kernels in assembler have no CFI, and frames of 8 KiB; these run on each x86-64 CPU.
export OPENBLAS_CORETYPE=Prescott
record assembler -q 250
unset OPENBLAS_CORETYPE
are_whole
[ "$(uname -m)" != x86_64 ] || expect_says out ';cblas_sgemm;.*;sgemm_kernel_PRESCOTT'

# Pages of the stack that are not there yet do not end the stacks.
store=pages.db
expect 0 env TRUTH_FRAME=49152 "$blasprof" -F 250 --roi=process -q -i $store -- "$truth" 1 0.9 800
are_whole

record dwarf
[ "$(samples stacks)" -gt 100 ] || fail "there are no stacks with copies"
record fp
[ "$(samples stacks)" -gt 0 ] || fail "there are no stacks with frame pointers"
record none
[ "$(samples stacks)" -eq 0 ] || fail "there are stacks with --call-graph=none"
[ "$(samples functions)" -gt 100 ] || fail "there are no samples with --call-graph=none"
expect_failure 125 "$blasprof" report -i $store --format firefox

for wrong in nosense dwarf,10 dwarf,x dwarf, fp,8192 ''; do
	expect_failure 125 "$blasprof" --call-graph="$wrong" -- "$train" 1
	[ ! -e "$work/blasprof.db" ] || fail "--call-graph='$wrong' runs the command"
done
finish
