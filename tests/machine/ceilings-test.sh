#!/bin/sh
# ceilings-test.sh: the machine's ceilings are measured on request, saved, and used by reports.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

prints '^ceilings  *no .* not been measured' doctor
expect 0 "$blasprof" --full -- "$train" --steps=5 1
expect_says err "[Rr]un 'blasprof doctor --measure'"
[ -z "$(ls "$work"/cache/blasprof/ceilings-* 2>/dev/null)" ] || fail "ceilings were saved without a request"

# Without a directory to save them in, nothing is measured.
expect_failure 125 env -u HOME XDG_CACHE_HOME=relative "$blasprof" doctor --measure

got=0
XDG_CACHE_HOME=$work/cache "$blasprof" doctor --measure >"$work/out" 2>"$work/err" </dev/null || got=$?
if grep -q 'built without optimisation' "$work/err"; then
	[ $got -eq 125 ] || fail "a build without optimisation ends with $got"
	finish
fi
[ $got -eq 0 ] || fail "doctor --measure ends with $got"
expect_silent err
for row in 'single, 128' 'double, 128' 'memory, read' 'memory, copy' 'memory, triad'; do
	# name, median, low-high: the median is in the interval
	grep "^$row" "$work/out" | grep -oE '  [0-9.]+  +[0-9.]+-[0-9.]+' | tr '-' ' ' |
		awk '{ ok = $1 > 0 && $2 <= $1 && $1 <= $3 } END { exit !ok }' ||
		fail "no valid numbers for '$row'"
done
# At best, reading is two thirds as fast as a triad, unless vectors go through the stack (a quarter).
awk '/^L1, / { sub(/.*-/, "", $5); best[$2] = $5 + 0 } END { exit !(best["read"] >= 0.3 * best["triad"]) }' \
	"$work/out" || fail "the L1 cache is read too slowly: $(grep '^L1' "$work/out")"
[ "$(grep -v '^Saved' "$work/out" | wc -L)" -le 100 ] || fail "lines of over 100 columns"
kept=$(ls "$work"/cache/blasprof/ceilings-*)
[ "$(echo "$kept" | wc -l)" -eq 1 ] || fail "there is not exactly one file: $kept"
grep -q '^values cpus=[0-9]* peak_single_1=' "$kept" || fail "the file has no ceilings"
prints '^ceilings  *yes .* less than a day ago' doctor

# They also apply to the earlier run on this machine.
prints '^Roofline at 1 thread' report --full
expect_says out '^cblas_sgemm .* \(compute\|memory\|latency\)$'
expect 0 "$blasprof" report --format=csv --table=shapes
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ rows++
	  if (!($at["intensity"] > 0 && $at["ceiling_flops"] > 0 && $at["ceiling_share"] > 0) ||
	      $at["bound"] !~ /^(compute|memory|latency)$/ || $at["level"] !~ /^(L[123]|memory)$/ ||
	      ($at["ceiling_share"] * $at["ceiling_flops"] / 1e9 / $at["gflops"] - 1) ^ 2 > 1e-6)
		exit 1 }
	END { exit !rows }' "$work/out" || fail "the shapes' columns do not agree"
# A new run includes them, so they are known wherever it is read.
expect 0 "$blasprof" -q --store=with.db -- "$train" --steps=5 1
expect 0 env XDG_CACHE_HOME="$work/elsewhere" "$blasprof" report --full --store=with.db
expect_says out '^Roofline at 1 thread'

# A damaged file is treated as missing.
for damage in 's/^values.*/values cpus=2/' 's/^cpus .*/cpus 9999/' '2,$d' '1s/.*/something else/'; do
	sed "$damage" "$kept" >"$work/damaged"
	cp "$kept" "$work/whole"
	cp "$work/damaged" "$kept"
	prints '^ceilings  *no .*' doctor
	expect_says out 'damaged$' # perhaps on a line of its own: the path before it may be long
	prints "[Rr]un 'blasprof doctor --measure'" report --full
	cp "$work/whole" "$kept"
done
finish
