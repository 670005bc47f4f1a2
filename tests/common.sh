# common.sh: functions that the shell tests share; each sources it first.
# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034,SC2030,SC2031 # tests that source this use the variables; beside has its own

blasprof=$PWD/blasprof
train=$PWD/workloads/train
work=$(mktemp -d "$PWD/test-XXXXXX") || exit 99
# Sessions that another test or user has left must not matter. Those of this test are in memory if there is room.
sessions=$work
if [ "$(df --output=avail /dev/shm | tail -n 1)" -ge 1000000 ]; then
	sessions=$(mktemp -d /dev/shm/test-XXXXXX) || exit 99
fi
export BLASPROF_TMPDIR="$sessions"
# A signal may reach a child of the shell that has not executed its program yet: it still has the shell's traps.
clean()
{
	# shellcheck disable=SC2016 # the inner shell's parent is this process
	[ "$(exec sh -c 'echo $PPID')" != $$ ] || rm -rf "$work" "$sessions"
}
trap clean EXIT
trap 'exit 99' HUP INT TERM
unset COLUMNS NO_COLOR OMP_NUM_THREADS GOTO_NUM_THREADS
export OPENBLAS_NUM_THREADS=2 # with many CPUs, a pool that spins at its start computes more than a short program
export XDG_CACHE_HOME="$work/cache" # ignore ceilings that were measured on this machine
# one_cpu: prints a CPU that this test may use.
one_cpu()
{
	awk '/^Cpus_allowed_list:/ { sub(/[-,].*/, "", $2); print $2 }' /proc/self/status
}
# Uses OpenBLAS kernels in C if the CPU can run them: those in assembler use much stack.
blas_in_c()
{
	! grep -q '^flags.* avx2' /proc/cpuinfo || export OPENBLAS_CORETYPE=Haswell
}
# Open MPI unloads its plugins before the leak check: only whole stacks show that leaks are its own.
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

# expect STATUS WORD...: runs the command in $work without input, with output to $work/out and $work/err.
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

# expect_failure STATUS WORD...: likewise; blasprof must print one line with the reason and a remedy.
expect_failure()
{
	expect "$@"
	[ "$(wc -l <"$work/err")" -eq 1 ] && grep -q '^blasprof: .*; .' "$work/err" && return
	fail "'$*' does not print one line with the reason and a remedy"
	show_output
}

# prints PATTERN WORD...: blasprof succeeds with these words, and prints it.
prints()
{
	pattern=$1
	shift
	expect 0 "$blasprof" "$@"
	expect_says out "$pattern"
}

# fails_with PATTERN WORD...: blasprof fails with these words, and its line says it.
fails_with()
{
	pattern=$1
	shift
	expect_failure 125 "$blasprof" "$@"
	expect_says err "$pattern"
}

# record_new STORE WORD...: profiles with these words, and makes a new store.
record_new()
{
	rm -f "$work/$1"
	expect 0 "$blasprof" -q -i "$@"
}

# stored RUNS OPTION...: the list with these options has so many runs.
stored()
{
	runs=$1
	shift
	expect 0 "$blasprof" list "$@"
	[ $(($(wc -l <"$work/out") - 1)) -eq "$runs" ] || { fail "not $runs runs in the list $*" && show_output; }
}

# ask STORE SQL: prints what the SQL selects.
ask()
{
	"${SQLITE3:-sqlite3}" "$work/$1" "$2"
}

# selects STORE SQL WANTED WHAT: the SQL selects that, or else WHAT is wrong.
selects()
{
	selected=$(ask "$1" "$2")
	[ "$selected" = "$3" ] || fail "$4: '$selected', not '$3'"
}

# expect_says FILE PATTERN: the last command must have printed it to that file.
expect_says()
{
	grep -q -e "$2" "$work/$1" && return
	fail "no '$2' in $1"
	show_output
}

# expect_silent FILE: the last command must have printed nothing to that file.
expect_silent()
{
	[ -s "$work/$1" ] || return 0
	fail "$1 is not empty"
	show_output
}

# eventually COMMAND...: repeats the command until it succeeds, for some minutes.
eventually()
{
	tries=0
	until "$@" >"$work/waited" 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 15000 ] || return 1
		sleep 0.02
	done
}

# beside COMMAND...: runs a function of the test beside what follows, with a $work of its own.
besides=
beside()
{
	beside=$(mktemp -d "$work/beside-XXXXXX") || exit 99
	(
		work=$beside failures=0
		"$@" >"$work/said" 2>&1
		[ "$failures" -eq 0 ]
	) &
	besides="$besides $!"
}

# together: waits for all of these.
together()
{
	for job in $besides; do
		wait "$job" || failures=$((failures + 1))
	done
	cat "$work"/beside-*/said
	rm -rf "$work"/beside-*
	besides=
}

subcommands()
{
	"$blasprof" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# column TABLE NAME OPTION...: prints a column of a table of the report.
column()
{
	table=$1 name=$2
	shift 2
	(cd "$work" && "$blasprof" report --format=tsv --table="$table" "$@") | awk -F '\t' -v name="$name" \
		'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }'
}

# calls_explain STORE POINTS: calls explain the samples in matrix work, to within POINTS percent of the work.
calls_explain()
{
	column threads f_sampled -i "$1" >"$work/f_sampled"
	column threads coverage -i "$1" | paste "$work/f_sampled" - | awk -v most="$2" '{
		off = $1 * ($2 - 1)
		printf "f by samples %s, calls explain %.3f more\n", $1, off
		exit 100 * off > most || 100 * off < -most
	}'
}

# may_sample: succeeds if blasprof says that it can take samples. Not every user may, nor any in a default container.
may_sample()
{
	"$blasprof" doctor | grep -q '^sampling  *no' || return 0
	echo "SKIP: nothing can be sampled here (see 'blasprof doctor')"
	return 1
}

# waits_known STORE: succeeds if its runs have wait stacks. Not every user may see the kernel's switches.
waits_known()
{
	may_sample || return 1
	column warnings code -i "$1" | grep -q '^no_wait_stacks$' || return 0
	echo "SKIP: this user may not see the kernel's switches (sysctl kernel.perf_event_paranoid)"
	return 1
}

sum()
{
	awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

# Prints the report formats of this build.
report_formats()
{
	"$blasprof" report --help | sed -n '/^Formats:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# operands SUBCOMMAND: prints a `1' for each operand that its usage requires.
operands()
{
	[ "$1" = top ] && echo --pid=1 && return # not a run of blasprof, so nothing else on this machine is affected
	"$blasprof" "$1" --help | sed -n '1{s/.*\[OPTION\]\.\.\.//;s/\[[A-Z]*\]\(\.\.\.\)*//;s/[A-Z][A-Z]*/1/g;p;}'
}

# copy_control: copies the control file of a session to $work/control, and takes over what blasprof tells of a container's
# filter of system calls. reserve_bytes, the last number but one, becomes 0:
# $work may have less room than the file system of the session.
copy_control()
{
	expect 0 "$blasprof" -q -F 0 -i x.db -- \
		sh -c "echo \$BLASPROF_WALL >wall; cp \"\$BLASPROF_SESSION/session\" control && '$PWD/tests/shim/ends' exit 1"
	BLASPROF_WALL=$(cat "$work/wall")
	export BLASPROF_WALL
	[ -s "$work/control" ] || fail "there is no control file"
	dd if=/dev/zero of="$work/control" bs=8 count=1 conv=notrunc seek=$(($(stat -c %s "$work/control") / 8 - 2)) 2>/dev/null
}

finish()
{
	[ "$failures" -eq 0 ]
	exit
}
