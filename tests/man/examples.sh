# examples.sh: runs the examples of a page in order. The tests of the pages source it.
# SPDX-License-Identifier: MIT
# shellcheck shell=sh
. "$srcdir/tests/common.sh"

builddir=$PWD
ran=0
skipped=0
PATH=$builddir:$PATH
HOME=$work/home
export PATH HOME
mkdir -p "$work/home/.zfunc" "$work/bin"

# short_program NAME FILE ARGUMENT...: makes a program that runs FILE with arguments that keep it short.
short_program()
{
	program=$1 file=$2
	shift 2
	printf '#!/bin/sh\nexec "%s" "$@" %s\n' "$file" "$*" >"$work/bin/$program"
	chmod +x "$work/bin/$program"
}
# Nothing is predicted if the steps have less than 5 % of the CPU time; 25 steps have a third.
short_program train "$builddir/workloads/train" --steps=25
short_program infer "$builddir/workloads/infer" --steps=25
short_program solve "$builddir/workloads/train" --steps=25
short_program ceilings "$builddir/workloads/ceilings" --max-elements=1024 --limit=0 --threads=1 --cache=warm

# make_place NAME: makes $place, a directory with the programs of the examples.
make_place()
{
	place=$work/$1
	mkdir -p "$place/workloads"
	ln -s "$work/bin/train" "$work/bin/infer" "$work/bin/solve" "$place"
	ln -s "$work/bin/ceilings" "$work/bin/train" "$place/workloads"
	# smaller versions of the same programs
	sed 's/^MODELS = 160/MODELS = 16/' "$srcdir/doc/fit.py" >"$place/fit.py"
	sed 's/STEPS = 100/STEPS = 5/' "$srcdir/doc/rows.c" >"$place/rows.c"
}

# has_WHAT: succeeds if what an example may need is there.
has_go() { command -v go; }
# The variables allow mpirun to run as root, and with more ranks than CPUs.
has_mpi()
{
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
	export OMPI_MCA_mpi_yield_when_idle=1
	command -v mpirun && [ -x "$builddir/workloads/train_mpi" ]
}
# Only one of a machine's python3 may have numpy.
has_numpy()
{
	for python in python3 /usr/bin/python3; do
		"$python" -c 'import numpy' && ln -sf "$(command -v "$python")" "$work/bin/python3" && PATH=$work/bin:$PATH && return
	done
	return 1
}
has_openmp() { command -v cc && echo 'int main(void) { return 0; }' | cc -fopenmp -x c - -lopenblas -o "$work/openmp"; }
has_gnuplot() { command -v gnuplot; }
# What takes long, and another test runs and checks: tests/machine/ceilings-test.sh.
has_own_test() { false; }
has_uprobes() { [ "$(id -u)" -eq 0 ] && [ -r /sys/bus/event_source/devices/uprobe/type ]; }
has_sqlite() { [ -n "$SQLITE3" ]; }
# Leaves a session behind by killing blasprof.
has_killed()
{
	rm -f "$work/ready" "$work/go"
	mkfifo "$work/go"
	"$blasprof" -q -F 0 -i "$work/never.db" -- sh -c "'$work/bin/train' 1; : >'$work/ready'; read -r line <'$work/go'" &
	killed=$!
	eventually test -e "$work/ready"
	kill -KILL $killed
	wait $killed
	echo >"$work/go"
	eventually sh -c "'$blasprof' recover | grep '$work' | grep -v 'still runs'"
	left=$("$blasprof" recover | grep "$work" | sed 's/ .*//')
	[ -n "$left" ]
}
left=

# Starts a run, which lasts until the example has printed something.
has_run()
{
	: >"$work/out"
	(cd "$place" && exec "$blasprof" -q -i beside.db -- "$builddir/workloads/train" --steps=1000000) >"$work/beside" 2>&1 &
	beside=$!
	{ eventually test -s "$work/out"; kill -TERM $beside; } &
	eventually "$blasprof" top --batch --delay=0.05 --count=1 --pid=$beside
}
end_beside()
{
	[ -z "$beside" ] || wait "$beside"
	beside=
}
beside=

# Compiles a part of a program: its headers, then the rest as the body of a function.
run_c()
{
	{
		grep '^#' "$1"
		echo "void forward(void *, void *); void backward(void *, void *);"
		echo "void example(void *model, void *batch, long steps); void example(void *model, void *batch, long steps) {"
		grep -v '^#' "$1"
		echo "}"
	} >"$place/example.c"
	# shellcheck disable=SC2046 # the compiler's name may be several words
	$(sed -n 's/^CC = //p' "$builddir/Makefile") -Wall -Werror -fsyntax-only -I "$srcdir/profiler" "$place/example.c"
}

run_block()
{
	[ -z "$left" ] || sed -i "s,/dev/shm/blasprof-[A-Za-z0-9]*,$left," "$1"
	left=
	case $1 in
	*.sql) (cd "$place" && "$SQLITE3" -bail blasprof.db) <"$1" ;;
	*.c) run_c "$1" ;;
	*) (cd "$place" && exec timeout 600 bash -e -o pipefail "$1") </dev/null ;;
	esac
}

# Checks that the quoted lines without figures occur, whatever the widths of their columns are.
check_quoted()
{
	tr -s ' ' <"$work/all" | sed 's/^ //; s/ $//' >"$work/squeezed"
	grep -v '[0-9]' "$1" | tr -s ' ' | sed 's/^ //; s/ $//' | grep -v '^[. ]*$' >"$work/wanted"
	while IFS= read -r line; do
		grep -qxF -e "$line" "$work/squeezed" || { fail "$page quotes '$line', which is not in the output"; show_output; }
	done <"$work/wanted"
}

check_expected()
{
	while IFS= read -r pattern; do
		grep -q -e "$pattern" "$work/all" || { fail "no '$pattern' in the output of $page's $block"; show_output; }
	done <"$1"
}

run_example()
{
	block=$(basename "$1")
	kind=${1%.*}
	if [ -e "$kind.needs" ]; then
		needed=$(cat "$kind.needs")
		if ! "has_$needed" >"$work/has" 2>&1; then
			echo "$page: example $block does not run: it needs $needed"
			skipped=$((skipped + 1))
			end_beside
			return
		fi
	fi
	ends=0
	[ ! -e "$kind.ends" ] || ends=$(cat "$kind.ends")
	status=0
	run_block "$1" >"$work/out" 2>"$work/err" || status=$?
	case " $ends " in
	*" $status "*) ;;
	*)
		fail "an example of $page ends with $status: $(cat "$1")"
		show_output
		;;
	esac
	end_beside
	ran=$((ran + 1))
	cat "$work/out" "$work/err" >"$work/all"
	[ ! -e "$kind.quoted" ] || check_quoted "$kind.quoted"
	[ ! -e "$kind.expected" ] || check_expected "$kind.expected"
}

# run_examples PAGE HOW: runs the examples of a page in $place; HOW is man or markdown.
run_examples()
{
	page=$(basename "$1")
	examples=$work/examples-$page
	mkdir "$examples"
	awk -v folder="$examples" -f "$srcdir/tests/man/blocks-$2.awk" "$1" || fail "$page has an example in no known form"
	for example in "$examples"/*.shell "$examples"/*.sql "$examples"/*.c; do
		[ ! -e "$example" ] || run_example "$example"
	done
}
