#!/bin/sh
# fuzz.sh: builds the fuzzed readers with libFuzzer and sanitizers in fuzz-build, and runs them for FUZZ_SECONDS in all.
# SPDX-License-Identifier: MIT
#
# The results are in fuzz-build/READER: inputs that reach new code in corpus, inputs that crash it in crash-*.
top=$(cd "$srcdir" && pwd)
object=$PWD/tests/sampling/libburn_stripped.so
: "${FUZZ_SECONDS:=600}" "${MAKE:=make}"

echo 'int LLVMFuzzerTestOneInput(const char *data, long size) { return data && size < 0; }' >fuzz-try.c
if ! clang -fsanitize=fuzzer,address fuzz-try.c -o fuzz-try 2>fuzz-try.log; then
	sed 's/^/  /' fuzz-try.log
	echo "fuzzing needs clang and its libFuzzer: apt-get install clang libclang-rt-14-dev"
	exit 1
fi
rm -f fuzz-try fuzz-try.c fuzz-try.log

mkdir -p fuzz-build && cd fuzz-build || exit 1
[ -f Makefile ] || "$top/configure" CC=clang CFLAGS='-O1 -g' --enable-fuzzing --enable-asan --enable-ubsan >configure.log || exit 1
$MAKE -j2 fuzz-programs >make.log 2>&1 || { tail -n 20 make.log && exit 1; }

tests/fuzz/seeds seeds || exit 1
mkdir -p seeds/symbols && cp "$object" seeds/symbols/object
readers=$(grep -o 'READER([a-z]*),' "$top/tests/fuzz/fuzz.c" | sed 's/READER(\(.*\)),/\1/')
seconds=$((FUZZ_SECONDS / $(echo "$readers" | wc -w)))
[ $seconds -gt 0 ] || seconds=1
status=0
for reader in $readers; do
	program=tests/fuzz/fuzz
	mkdir -p "$reader/corpus" "seeds/$reader"
	set -- "$reader/corpus" "seeds/$reader"
	[ ! -d "$top/tests/fuzz/corpus/$reader" ] || set -- "$@" "$top/tests/fuzz/corpus/$reader"
	if FUZZ_READER=$reader ASAN_OPTIONS=detect_leaks=1 $program -max_total_time=$seconds -timeout=20 \
		-max_len=300000 -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$reader/" "$@" >"$reader/log" 2>&1; then
		echo "$reader: $(sed -n 's/^stat::number_of_executed_units: *//p' "$reader/log") inputs, nothing found"
	else
		echo "$reader: see fuzz-build/$reader/log"
		grep -E 'ERROR|SUMMARY|runtime error|Test unit written' "$reader/log" | sed 's/^/  /'
		status=1
	fi
done
exit $status
