#!/bin/sh
# arguments-test.sh: train and infer refuse bad arguments with one line and status 2, and fail if the output is full.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

: >"$work/empty"
printf 'abc' >"$work/short"

# Usage: refuse PROGRAM WORD-IN-THE-MESSAGE ARGUMENT...
refuse() {
	program=$1 word=$2
	shift 2
	"workloads/$program" "$@" >"$work/out" 2>"$work/err"
	status=$?
	[ $status -eq 2 ] || fail "$program $*: status $status, not 2"
	[ ! -s "$work/out" ] || fail "$program $*: wrote to standard output"
	[ "$(wc -l <"$work/err")" -eq 1 ] || fail "$program $*: not one line: $(cat "$work/err")"
	grep -q -e "^$program: .*$word" "$work/err" ||
		fail "$program $*: does not say '$word': $(cat "$work/err")"
}

for program in train infer; do
	refuse $program "'0'" 0
	refuse $program "'-1'" -1
	refuse $program "'63.5'" --hidden 63.5
	refuse $program "'63.5'" --hidden=63.5 2
	refuse $program "nowhere.txt" --text=nowhere.txt
	refuse $program "empty" --text="$work/empty"
	refuse $program "3 characters" --text="$work/short"
	refuse $program "'--frobnicate'" --frobnicate
	refuse $program "experts" --top-k 9
	refuse $program "MiB" --hidden=2048 --experts=64 --blocks=64
	refuse $program "too many" 1 2
	refuse $program "nowhere/stamps" --stamps=nowhere/stamps
done
refuse infer "'--mode=allreduce'" --mode=allreduce
refuse train "not with --mpi" --mpi --stamps="$work/stamps"

for program in train infer; do
	workloads/$program --help >"$work/help" || fail "$program --help: status $?"
	for option in hidden blocks experts top-k sequence steps seed routing text stamps blas-threads; do
		grep -q -e "--$option=" "$work/help" || fail "$program --help leaves out --$option"
	done
	grep -q THREADS "$work/help" || fail "$program --help leaves out THREADS"
	if [ -c /dev/full ]; then
		for arguments in --help --steps=1; do
			workloads/$program $arguments >/dev/full 2>"$work/err"
			status=$?
			[ $status -eq 1 ] || fail "$program $arguments >/dev/full: status $status"
			grep -q "standard output" "$work/err" ||
				fail "$program $arguments >/dev/full says nothing"
		done
	fi
done
finish
