#!/bin/sh
# measure-test.sh: --roi, --work, -e and --what-if take effect, and what-if runs are kept apart from others.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
ln -s "$PWD/tests/shim/truth" "$work/truth"

# figures NAME OPTION...: prints column NAME of the table of threads.
figures()
{
	column threads "$@" | tr '\n' ' '
}

# The program prints its number of calls.
expect 0 "$blasprof" -F 0 -q -w 0 -t 1,2 --work='^([0-9]+) ' ./truth {} 0.5 9 1
[ "$(figures work)" = "10 20 " ] || fail "the work is $(figures work)instead of what the program prints"
expect 0 "$blasprof" -F 0 -q -w 0 -t 1 ./truth {} 0.4 9 1
flops=$(figures flops)
[ "$(figures work)" = "$flops" ] || fail "work is not measured in flops by default"

# Requests that cannot be fulfilled get a message with a remedy.
expect 0 "$blasprof" --full -F 0 -i n.db --work='never ([0-9]+)' ./truth 1 0.4 9 1
expect_says err "^warning  the program's output shows no work"
expect_says err '^      -> give --work a regular expression'
expect 0 "$blasprof" --full -F 0 -i n.db --work=steps ./truth 1 0.4 9 1
expect_says err '^warning  the program marked no progress'
expect 0 "$blasprof" --full -F 0 -i n.db --roi=nowhere ./truth 1 0.4 9 1
expect_says err "^blasprof: .* inside the region 'nowhere', so the run is not stored; ."
expect_says err "^      -> --roi is the region 'nowhere'"
expect_says err "^warning  the program marks no region with the name that --roi gives: 'nowhere'; none is"
expect 0 "$blasprof" -F 0 -q -i n.db --roi=bakward "$train" --steps=5 1
expect_says err "not 'bakward'; the nearest that are marked: backward, "

# Samples are not assigned to regions.
expect 0 "$blasprof" -q -i r.db --roi=backward "$train" --steps=100 1
[ "$(figures f_sampled -i r.db)" = " " ] || fail "a region has an f by samples"
[ "$(figures f_intercepted -i r.db)" != " " ] || fail "a region has no f"

# The whole process includes the start, and the time from its first to its last call does not.
for roi in process blas; do
	expect 0 "$blasprof" -F 0 -q -i $roi.db --roi=$roi sh -c 'sleep 0.3; exec ./truth 1 0.5 3 1'
done
[ "$(ask process.db 'SELECT roi_ns > 300000000 FROM runs')" = 1 ] || fail "--roi=process leaves out the start"
[ "$(ask blas.db 'SELECT roi_ns < elapsed_ns - 300000000 FROM runs')" = 1 ] || fail "--roi=blas includes the start"

# Counted events are stored with the run, and an unknown event is refused.
fails_with "unknown event 'cycels'" -i e.db -e 'page-faults,{cycels,context-switches}' touch "$work/ran"
expect_says err 'the nearest are.*[Cc][Yy][Cc][Ll][Ee][Ss]'
fails_with "unknown event 'cycels'" -i e.db --sample-by=cycels touch "$work/ran"
[ ! -e "$work/ran" ] || fail "the command ran although an event is unknown"
expect 0 "$blasprof" --full -i e.db -e 'page-faults,{context-switches}' ./truth 1 0.4 9 1
counted=$(column counters event -i e.db | grep -v '^power/' | sort | tr '\n' ' ')
[ "$counted" = "context-switches page-faults " ] || grep -q 'this user may not\|the kernel refuses' "$work/err" || fail "the counters are $counted"
[ -z "$counted" ] || prints 'All tables (.*in the table counters)' report -i e.db

# Runs under a what-if form a separate experiment, in sweeps and as single runs.
expect 0 "$blasprof" -F 0 -q -i w.db -w 0 -t 1,2 ./truth {} 0.5 5 1
expect 0 "$blasprof" -F 0 -q -i w.db -w 0 -t 1,2 --what-if=units=1 ./truth {} 0.5 5 1
expect 0 "$blasprof" -F 0 -q -i w.db --what-if=units=1 ./truth 2 0.5 5 1
[ "$(figures runs -i w.db -x './truth {} 0.5 5 1')" = "1 1 " ] || fail "other runs are mixed with those without a what-if"
[ "$(figures runs -i w.db -x './truth {} 0.5 5 1 [what-if units=1]')" = "1 2 " ] ||
	fail "runs under what-if are not one experiment"
expect 0 "$blasprof" -F 0 -q -i w.db --what-if=blas=2x --what-if=other=1.5 ./truth 2 0.5 5 1
stored 1 -i w.db -x './truth {} 0.5 5 1 [what-if blas=2,other=1.5]'
expect 0 "$blasprof" -F 0 -i w.db --what-if=units=1 -w 0 -t 1,2 -L f=0.3 ./truth {} {f} 5 1
expect_says err 'units=1: these runs were changed'
finish
