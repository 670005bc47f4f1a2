#!/bin/sh
# consumers.sh: opens files in the programs that they are meant for, and checks what these read: for `make check-consumers'.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
here=$(cd "${srcdir:-.}" && pwd)

# as FORMAT: writes the report to $work/FORMAT.
as()
{
	expect 0 "$blasprof" report -i store.db --format "$1" --output "$1"
}

expect 0 "$blasprof" -q -F 2000 --timeline --roi=process -i store.db -- "$train" --steps=60 2
for format in folded pprof chrome firefox; do
	as $format
done
expect 0 "$blasprof" report -i store.db --format csv --table stacks
samples=$(awk -F, 'NR > 1 { sum += $(NF - 1) } END { print sum + 0 }' "$work/out")
[ "$samples" -gt 0 ] || fail "there are no samples in stacks"
folded=$(awk '{ sum += $NF } END { print sum + 0 }' "$work/folded")
[ "$folded" -eq "$samples" ] || fail "the folded stacks have $folded samples, the table $samples"
grep -v -q '^[^;].* [1-9][0-9]*$' "$work/folded" && fail "a line of the folded stacks is none"
expect 0 sh -c 'gzip -t <pprof'

if command -v go >/dev/null && go tool pprof -help >/dev/null 2>&1; then
	expect 0 env HOME="$work" go tool pprof -raw pprof
	found=$(awk '/^Samples:/ { on = 1; next } /^Locations/ { on = 0 } on && $1 ~ /^[0-9]+$/ { sum += $1 } END { print sum + 0 }' "$work/out")
	[ "$found" -eq "$samples" ] || fail "pprof reads $found samples, the table has $samples"
	expect 0 env HOME="$work" go tool pprof -top -sample_index=samples pprof
	expect_says out 'adamw_update'
	echo "pprof reads $found samples"
else
	echo "SKIP: there is no go tool pprof (Debian: golang-go)"
fi

# own FILE: sums the samples of each function over lines of function and samples, and sorts the result.
own()
{
	awk -F'\t' '{ sum[$1] += $2 } END { for (name in sum) if (sum[name]) printf "%s\t%.0f\n", name, sum[name] }' "$1" | LC_ALL=C sort
}

# same_own WHO FILE: WHO has read the same functions with the same samples as in the folded stacks.
same_own()
{
	own "$2" >"$work/found"
	cmp -s "$work/functions" "$work/found" && echo "$1 reads $samples samples of $(wc -l <"$work/found") functions" && return
	fail "$1 has read other functions or samples than the folded stacks have"
	diff "$work/functions" "$work/found" | head -20
}
sed 's/\(.*;\)*\(.*\) \([0-9]*\)$/\2\t\3/' "$work/folded" >"$work/leaves"
own "$work/leaves" >"$work/functions"
[ "$(wc -l <"$work/functions")" -gt 10 ] || fail "there are few functions to compare"

# read_firefox: the Firefox Profiler's reader has the same samples.
read_firefox()
{
	mkdir "$work/sessions"
	expect 0 env PROFILER_CLI_SESSION_DIR="$work/sessions" node "$work/consumers/firefox.js" \
		"$work/consumers/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js" firefox
	cut -f 2,3 "$work/out" >"$work/lines"
	same_own 'the Firefox Profiler' "$work/lines"
	grep -q '^threads that call BLAS	cblas_sgemm	' "$work/out" || fail "the threads that call BLAS do not in the Firefox Profiler"
}

# read_timeline: speedscope has the same number of calls, regions and times off the CPU as the store, with the same times.
read_timeline()
{
	"${SQLITE3:-sqlite3}" -separator '	' "$work/store.db" "SELECT iif(name = '', kind, name), count(*),
		sum(end_ns - start_ns) FROM timeline GROUP BY 1" | LC_ALL=C sort >"$work/kinds"
	grep '^chrome	' "$work/speedscope" | awk -F'\t' -v OFS='\t' '
		{ name = $4; if (name ~ /^cblas_/) sub(/ .*/, "", name); entered[name] += $5; ns[name] += $7 * 1e3 }
		END { for (name in entered) printf "%s\t%d\t%.0f\n", name, entered[name], ns[name] }' | LC_ALL=C sort >"$work/found"
	# Nanoseconds are written as decimals of microseconds.
	LC_ALL=C join -t '	' "$work/kinds" "$work/found" | awk -F'\t' '{ d = $3 - $5; same += $2 == $4 && d * d <= ($2 + 1) ^ 2 } END { print same + 0 }' >"$work/same"
	if [ "$(cat "$work/same")" -eq "$(wc -l <"$work/kinds")" ] && [ -s "$work/kinds" ]; then
		echo "speedscope reads the timeline: $(cut -f 1,2 "$work/found" | tr '\t\n' ' ,')"
	else
		fail "speedscope has read another timeline"
		diff "$work/kinds" "$work/found"
	fi
	[ "$(grep '^chrome	' "$work/speedscope" | cut -f 2 | sort -u | grep -c '^train (pid [0-9]*), train ')" -ge 2 ] ||
		fail "speedscope does not show the threads by name"
}

# read_speedscope: stacks in two formats, and the timeline.
read_speedscope()
{
	expect 0 node "$work/consumers/speedscope.js" "$chromium" \
		"$work/consumers/node_modules/speedscope/dist/release/index.html" chrome folded pprof
	cp "$work/out" "$work/speedscope"
	grep '^folded	' "$work/speedscope" | cut -f 4,6 >"$work/lines"
	same_own 'speedscope (folded)' "$work/lines"
	# A sample at 2,000 Hz stands for 500,000 ns.
	grep '^pprof	.*	nanoseconds	' "$work/speedscope" | awk -F'\t' -v OFS='\t' '{ print $4, $6 / 500000 }' >"$work/lines"
	same_own 'speedscope (pprof)' "$work/lines"
	read_timeline
}

chromium=$(command -v chromium) || chromium=
mkdir "$work/consumers"
cp "$here/tests/consumers/package.json" "$here/tests/consumers/package-lock.json" "$here"/tests/consumers/*.js "$work/consumers"
if ! command -v npm >/dev/null; then
	echo "SKIP: there is no npm (Debian: npm)"
elif ! (cd "$work/consumers" && npm ci --no-audit --no-fund --loglevel=error) >"$work/npm.log" 2>&1; then
	cat "$work/npm.log"
	echo "SKIP: npm cannot bring in the Firefox Profiler's reader and speedscope"
else
	read_firefox
	if [ "$chromium" ]; then read_speedscope; else echo "SKIP: speedscope needs a browser (Debian: chromium)"; fi
fi

# Without stacks, the formats fail with a remedy.
expect 0 "$blasprof" -q --call-graph=none -i none.db -- "$train" --steps=5 2
for format in folded pprof; do
	expect_failure 125 "$blasprof" report -i none.db --format $format
	expect_failure 125 "$blasprof" report -i store.db --format $format --output /dev/full
done
finish
