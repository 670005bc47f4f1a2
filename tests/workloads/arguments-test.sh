#!/bin/sh
# arguments-test.sh: train and infer take their arguments, refuse bad ones with one line and status 2, and fail if the output is full.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

: >"$work/empty"
printf 'abc' >"$work/short"

# refuse PROGRAM WORD-IN-THE-MESSAGE ARGUMENT...
refuse()
{
	program=$1 word=$2
	shift 2
	expect 2 "$PWD/workloads/$program" "$@"
	expect_silent out
	[ "$(wc -l <"$work/err")" -eq 1 ] || fail "$program $*: not one line: $(cat "$work/err")"
	expect_says err "^$program: .*$word"
}

# says PROGRAM WORDS ARGUMENT...: the program prints these words.
says()
{
	program=$1 words=$2
	shift 2
	expect 0 "$PWD/workloads/$program" "$@"
	expect_says out "$words"
}

for program in train infer; do
	refuse $program "THREADS: ''" ''
	while read -r word arguments; do
		# shellcheck disable=SC2086 # words
		refuse $program "$word" $arguments
	done <<-'END'
		THREADS:.'0' 0
		'-1' -1
		1025 1025
		four four
		'3' 2 3
		too.many 1 2
		--hidden:.'63.5' --hidden 63.5
		'63.5' --hidden=63.5 2
		from.64.to.2048 --hidden=63
		2049 --hidden=2049
		99999999999999999999 --hidden=99999999999999999999
		--hidden:.'' --hidden=
		--steps --steps=0
		--seed --seed=-1
		--top-k:.9 --top-k 9
		--top-k --experts=1
		experts --top-k=9
		'none' --routing=none
		--mode --mode=
		'--text' --text
		nowhere.txt --text=nowhere.txt
		empty --text=empty
		3.characters --text=short
		cannot.read --text=/
		'--frobnicate' --frobnicate
		'--frobnicate=5' --frobnicate=5
		--help --help=5
		MiB --hidden=2048 --experts=64 --blocks=64
		nowhere/stamps --stamps=nowhere/stamps
	END
	says $program "^$program hidden 64 inner 128 blocks 2 experts 8 top-k 2 sequence 64 vocabulary 29 .* routing sequence" --steps=1
	expect_says out ' steps 1 threads 1 '
	says $program 'hidden 128 .* top-k 3 .* routing token' --hidden=128 --top-k 3 --routing=token --steps=2 2
	expect_says out ' steps 2 threads 2 '
done
refuse infer "'--mode=allreduce'" --mode=allreduce
refuse train "not with --mpi" --mpi --stamps=stamps
says infer ' steps 10000 ' --sequence=1 --blocks=1
says train ' mode independent steps 3000 ' --sequence=1 --blocks=1
says train ' mode allreduce ' --mode allreduce --steps=1

for program in train infer; do
	says $program THREADS --help
	for option in hidden blocks experts top-k sequence steps seed routing text stamps blas-threads; do
		expect_says out "--$option="
	done
	expect_says out '--blas-threads=.*(1 to 1024; 1)'
	if [ -c /dev/full ]; then
		for arguments in --help --steps=1; do
			expect 1 sh -c "exec '$PWD/workloads/$program' $arguments >/dev/full"
			expect_says err "standard output"
		done
	fi
done
finish
