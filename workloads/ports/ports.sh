# ports.sh: the list of ports and the commands that run them; sourced in the build folder, with $srcdir set.
# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034 # the variables are for the scripts that source this

ports="c rust go python julia"
ports_source=$srcdir/workloads/ports
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

# package DEPENDENCY: prints the Debian package that has it.
package()
{
	sed -n "s/^ *\([^# ][^ ]*\)  *$1  *.*/\1/p" "$srcdir/packages.txt"
}

# find_tool DEPENDENCY TOOL: fails and sets $missing if the tool is not installed.
find_tool()
{
	command -v "$2" >/dev/null 2>&1 && return 0
	missing="needs $1 (package $(package "$1"))"
	return 1
}

# Sets $python to the first Python that has numpy.
find_numpy()
{
	for python in ${PYTHON:-python3 /usr/bin/python3}; do
		"$python" -c 'import numpy' 2>/dev/null && return 0
	done
	missing="needs numpy (package $(package numpy))"
	return 1
}

# build_port NAME: builds the port. Fails and sets $missing if its language is not installed.
build_port()
{
	case $1 in
	c) make_port workloads/train workloads/infer workloads/ports/kernels-c ;;
	rust) find_tool rustc "${RUSTC:-rustc}" && make_port workloads/ports/moe-rust ;;
	go) find_tool go "${GO:-go}" && make_port workloads/ports/moe-go ;;
	python | processes) find_numpy ;;
	julia) find_tool julia "${JULIA:-julia}" ;;
	esac
}

make_port()
{
	missing="does not build: see above"
	${MAKE:-make} -s "$@" >&2
}

# set_command NAME PASS THREADS: sets $command to the words that run a pass (train, infer, kernels or call), and $roi to the
# option of blasprof for the region of interest: ports that call BLAS before the steps mark the steps as a region.
set_command()
{
	case $1 in
	python | processes | julia) roi="--roi=steps" ;;
	*) roi= ;;
	esac
	case $1-$2 in
	c-kernels) command="workloads/ports/kernels-c" ;;
	c-*) command="workloads/$2 $3" ;;
	rust-*) command="workloads/ports/moe-rust $2 $3" ;;
	go-*) command="workloads/ports/moe-go $2 $3" ;;
	python-*) command="$python $ports_source/python/moe.py $2 $3" ;;
	processes-*) command="$python $ports_source/python/moe.py --workers=processes $2 $3" ;;
	julia-*) command="${JULIA:-julia} --threads=$3 $ports_source/julia/moe.jl $2 $3" ;;
	esac
}

# allocations NAME PASS WORD...: prints the allocations per step with one thread: calls of malloc and related functions, or the
# language's own count in Go and Julia. It is the difference of runs with 60 and 20 steps, so that start and end do not
# count. PYTHONMALLOC=malloc makes Python allocate each object by malloc; numpy reuses the memory of small arrays.
allocations()
{
	name=$1 pass=$2
	shift 2
	counter=$PWD/workloads/ports/.libs/libcount_allocations.so
	case $name in
	go | julia) counter= ;;
	esac
	set_command "$name" "$pass" 1
	counted=$(mktemp) || return 1
	for steps in 20 60; do
		# shellcheck disable=SC2086 # a list of words
		LD_PRELOAD=$counter ALLOCATIONS_FILE=$counted PYTHONMALLOC=malloc $command --steps $steps "$@" >/dev/null || break
		cat "$counted"
	done | awk '{ count[NR] = $1 } END { if (NR == 2) print (count[2] - count[1]) / 40; else print "-" }'
	rm -f "$counted"
}

# value NAME FILE: prints the word after a name in the last line of the file that has it.
value()
{
	awk -v name="$1" '{ for (i = 1; i < NF; i++) if ($i == name) found = $(i + 1) } END { print found }' "$2"
}
