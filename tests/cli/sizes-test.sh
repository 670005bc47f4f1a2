#!/bin/sh
# sizes-test.sh: -L makes an experiment of each combination of values, and one table of all.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
ln -s "$PWD/tests/shim/truth" "$work/truth"
truth=./truth # lines of the report can be as long as a path

expect 0 "$blasprof" -F 0 -f csv -w 0 -t 1,2 -L f=0.2,0.8 -L steps=50,100 -- "$truth" {} {f} {steps} 1 0 2
awk '{ print $2 "," $3 }' "$work/out" >"$work/true-f"
mv "$work/err" "$work/out"
# f(1) lies between the two values of f that the program prints for one thread.
sed 1d "$work/out" | paste -d, "$work/true-f" - | awk -F, '$5 == 1 && ($8 > $2 + 0.02 || $8 < $1 - 0.02) { exit 1 }' || fail "f is not that of the program"
[ "$(wc -l <"$work/out")" -eq 9 ] || fail "not a line for each of 4 experiments and 2 thread counts"
[ "$(sed 's/\r$//' "$work/out" | awk -F, 'NR > 1 { print $1 "/" $2 "/" $3 }' | tr '\n' ' ')" = \
	"0.2/50/1 0.2/50/2 0.2/100/1 0.2/100/2 0.8/50/1 0.8/50/2 0.8/100/1 0.8/100/2 " ] ||
	fail "not all combinations, in order"
expect_says out '^f,steps,threads,runs,cpus_available,f,f_low,f_high,f_estimated,unit_seen,units,'
expect_says out "^0.8,100,2,.*truth {} 0.8 100 1 0 2.\$"
stored 8
stored 2 --experiment="$truth {} 0.2 100 1 0 2"

# Without sleeps, because a late timer would add BLAS time that the program did not request.
expect 0 "$blasprof" -F 0 --output=table -w 0 -t 1,2,3 -L f=0.3,0.7 -- "$truth" {} {f} 60
mv "$work/table" "$work/out"
expect_says out '^sizes .*truth {} {f} 60$'
expect_says out '^  *f  *f  *units  *threads  *speed-up$'
expect_says out '^ *0\.3  *0\.[23].* 2\**  *[0-9.]*$'
expect_says out '^ *0\.7  *0\.[67].* 3\**  *[0-9.]*$'
expect_says out '^-> why, at one size: blasprof report -x NAME'
awk 'length > 100 { exit 1 }' "$work/out" || fail "a line is too long"

# Ranges are of whole numbers; anything else that looks similar is a plain value.
expect 0 "$blasprof" -q -F 0 --store=ranges.db -w 0 -L a=1-3,5,0.5 -L b=4..16:x2,x-1 -- "$truth" 1 0.5 1 1 {a} {b}
expect 0 "$blasprof" list --store=ranges.db
[ "$(sed 1d "$work/out" | awk '{ print $(NF - 1) "/" $NF }' | tr '\n' ' ')" = \
	"1/4 1/8 1/16 1/x-1 2/4 2/8 2/16 2/x-1 3/4 3/8 3/16 3/x-1 5/4 5/8 5/16 5/x-1 0.5/4 0.5/8 0.5/16 0.5/x-1 " ] ||
	fail "ranges of values are not run one by one"
fails_with "a range ends below its begin" -L a=8-1 -- "$truth" 1 {a}

# A value of which no run is stored has no line.
expect 0 "$blasprof" -F 0 -i some.db -f csv --ignore-failure -w 0 -L f=x,0.3,y,0.7 -- sh -c 'case $1 in [xy]) exit 3 ;; esac
	exec ./truth 1 $1 20' sh {f}
[ "$(grep -o '^0\.[37],1,' "$work/err" | tr '\n' ' ')" = "0.3,1, 0.7,1, " ] ||
	fail "not a line for each value that has a run"

# f is shown even if no speed-up can be measured.
expect 0 "$blasprof" -F 0 --output=table -L f=0.5 -- "$truth" 1 {f} 60
mv "$work/table" "$work/out"
expect_says out '^ *0\.5  *0\.[45][0-9]*  *-  *1  *1.00$'
finish
