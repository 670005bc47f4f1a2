# common.sh: what the tests of the command line share; each sources it first.
# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034 # the variables are for the tests that source this

blasprof=$PWD/blasprof
train=$PWD/workloads/train
work=$(mktemp -d "$PWD/test-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
unset COLUMNS NO_COLOR
export XDG_CACHE_HOME="$work/cache" # what was measured on this machine is no part of a test
# OpenBLAS's kernels in assembler have no tables to unwind by, and take much stack: where the CPU can run some that are
# in C, those are used.
blas_in_c()
{
	! grep -q '^flags.* avx2' /proc/cpuinfo || export OPENBLAS_CORETYPE=Haswell
}
# Open MPI unloads its parts before leaks are looked for: only whole stacks tell that they are its own.
unwind_whole_stacks()
{
	[ -z "$ASAN_OPTIONS" ] || ASAN_OPTIONS=$ASAN_OPTIONS:fast_unwind_on_malloc=0
}
failures=0

fail()
{
	echo "FAIL: $*"
	failures=$((failures + 1))
}

show_output()
{
	sed 's/^/  stdout: /' "$work/out"
	sed 's/^/  stderr: /' "$work/err"
}

# expect STATUS WORD...: runs the words with no input in $work, output in $work/out and $work/err.
expect()
{
	wanted=$1
	shift
	got=0
	(cd "$work" && exec "$@") >"$work/out" 2>"$work/err" </dev/null || got=$?
	[ "$got" -eq "$wanted" ] && return
	fail "'$*' ends with $got instead of $wanted"
	show_output
}

# expect_failure STATUS WORD...: likewise, and blasprof says why in one line with a remedy.
expect_failure()
{
	expect "$@"
	[ "$(wc -l <"$work/err")" -eq 1 ] && grep -q '^blasprof: .*; .' "$work/err" && return
	fail "'$*' does not say in one line what is wrong and what to do"
	show_output
}

# expect_says FILE PATTERN: what ran last has printed it.
expect_says()
{
	grep -q -e "$2" "$work/$1" && return
	fail "no '$2' in $1"
	show_output
}

# expect_silent FILE: what ran last has printed nothing there.
expect_silent()
{
	[ -s "$work/$1" ] || return 0
	fail "$1 is not empty"
	show_output
}

# eventually COMMAND...: it succeeds within some minutes, however busy the machine is.
eventually()
{
	tries=0
	until "$@" >"$work/waited" 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 15000 ] || return 1
		sleep 0.02
	done
}

subcommands()
{
	"$blasprof" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# column TABLE NAME OPTION...: the figure in each row of the report's table.
column()
{
	table=$1 name=$2
	shift 2
	(cd "$work" && "$blasprof" report --format=tsv --table="$table" "$@") | awk -F '\t' -v name="$name" \
		'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }'
}

# calls_explain STORE POINTS: calls explain the samples in matrix work, within so many hundredths of the work.
calls_explain()
{
	column threads f_sampled -i "$1" >"$work/f_sampled"
	column threads coverage -i "$1" | paste "$work/f_sampled" - | awk -v most="$2" '{
		off = $1 * ($2 - 1)
		printf "f by samples %s, calls explain %.3f more\n", $1, off
		exit 100 * off > most || 100 * off < -most
	}'
}

# waits_known STORE: 0 where its runs tell what threads waited on. Not every user may see the kernel's switches.
waits_known()
{
	column warnings code -i "$1" | grep -q '^no_wait_stacks$' || return 0
	echo "SKIP: this user may not see the kernel's switches (sysctl kernel.perf_event_paranoid)"
	return 1
}

sum()
{
	awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

# The report's formats that this build has.
report_formats()
{
	"$blasprof" report --help | sed -n '/^Formats:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# operands SUBCOMMAND: as many words as its usage demands after the options, each `1'.
operands()
{
	[ "$1" = top ] && echo --pid=1 && return # no run of blasprof: whatever else runs on this machine is left alone
	"$blasprof" "$1" --help | sed -n '1{s/.*\[OPTION\]\.\.\.//;s/\[[A-Z]*\]\(\.\.\.\)*//;s/[A-Z][A-Z]*/1/g;p;}'
}

finish()
{
	[ "$failures" -eq 0 ]
	exit
}
