#!/bin/sh
# hostile-test.sh: runs each row of attacks.sh without and with blasprof, and compares output, exit status and counts.
# SPDX-License-Identifier: MIT
#
# Usage: hostile-test.sh [ROW...]. Without names it runs the rows of `make check'; with HOSTILE=all it runs all rows, also
# with samples.
. "${srcdir:-.}/tests/common.sh"
[ -n "$SQLITE3" ] || exit 77

here=$(cd "${srcdir:-.}/tests/hostile" && pwd)
shim_tests=$PWD/tests/shim
hostile=$PWD/tests/hostile/hostile
blas=$shim_tests/.libs/libtruth_blas.so
CC=${CC:-gcc}
chmod 755 "$work"
rows=$work/rows skipped=$work/skipped # one line for each
: >"$rows"
: >"$skipped"
built=

# has NEED...: succeeds if all needs are met: root, a kind of CPU, namespaces, mounts of its own (for root), perf events, no
# filter of system calls, setarch with the right to use it, a compiler (of programs without sanitizers), the absence of a
# symbol in the test program (`!__tsan_init'), a file by its path, or a command.
has()
{
	for need; do
		case $need in
		root) [ "$(id -u)" -eq 0 ] ;;
		x86_64) [ "$(uname -m)" = x86_64 ] ;;
		namespaces) unshare -Urpf --mount-proc true ;;
		mounts) unshare -m true ;;
		perf) may_sample ;;
		unfiltered) grep -q '^Seccomp:.*0$' /proc/self/status ;;
		setarch) setarch -R true ;;
		!*) ! grep -q "${need#!}" "$hostile" ;;
		compiler) ! grep -q "__[at]san_init" "$hostile" && command -v "${CC%% *}" ;;
		/*) [ -e "$need" ] ;;
		*) command -v "$need" ;;
		esac >"$work/has" 2>&1 || return 1
	done
}

# alone_and_with OPTION: runs $words without and with blasprof, which replaces the @ in them, or comes first.
alone_and_with()
{
	rm -f "$work/hostile.db" "$work/counted"
	case " $words " in *" @ "*) words=" $words" ;; *) words=" @ $words" ;; esac
	profile="\"\$blasprof\" -q $1 -i \"\$work/hostile.db\" --"
	status=0
	eval "set -- ${words%% @ *} ${words#* @ }"
	(cd "$work" && exec timeout 600 "$@") >"$work/out.alone" 2>"$work/err.alone" </dev/null || status=$?
	rm -f "$work/counted"
	eval "set -- ${words%% @ *} $profile ${words#* @ }"
	expect $status timeout 600 "$@"
	grep -v -e '^blasprof: no BLAS call could be seen' -e '^blasprof: no BLAS call was seen' "$work/err" >"$work/err.own"
	cmp "$work/out.alone" "$work/out" && cmp "$work/err.alone" "$work/err.own" && return
	fail "$name prints something else"
	diff "$work/out.alone" "$work/out"
	diff "$work/err.alone" "$work/err.own"
}

# read_made: reads the numbers of calls that the test program has counted: those that returned, and others that have begun.
read_made()
{
	read -r returned begun <<-END
		$(od -An -t u8 "$work/counted")
	END
}

# holds exact|CALLS|says|partly [WORD...]: checks the calls in the store, and the text in the report or in blasprof's output.
holds()
{
	counted=0 said=$*
	[ ! -e "$work/hostile.db" ] ||
		counted=$("$SQLITE3" "$work/hostile.db" "SELECT coalesce(sum(calls), 0) FROM threads")
	case $1 in
	exact) read_made; least=$returned most=$((returned + begun)) ;;
	partly) read_made; least=1 most=$((returned - 1)) ;;
	says) least=0 most=0 ;;
	*) least=$1 most=$1 ;;
	esac
	[ "$counted" -ge "${least:-1}" ] && [ "$counted" -le "${most:-0}" ] ||
		fail "$name: $counted calls are counted, not $least to $most"
	said=${said#"$1"}
	[ -n "$said" ] || return
	"$blasprof" report --format=tsv --table=warnings -i "$work/hostile.db" >>"$work/err" 2>&1
	grep -q -e "${said# }" "$work/err" || { fail "$name: nothing says '${said# }'" && show_output; }
}

# attack NAME NEEDS BUILD WORDS HOLDS: runs one row. BUILD and WORDS are shell words, run in the test's folder. What the row
# before has built is not built again.
attack()
{
	name=$1 words=$4
	case " $chosen " in "  " | *" $name "*) ;; *) return ;; esac
	[ -n "$chosen" ] || [ "$speed" = quick ] || [ "$HOSTILE" = all ] || return
	echo "$name" >>"$rows"
	# shellcheck disable=SC2086 # words
	has $2 || { echo "$name ($2)" >>"$skipped"; return; }
	[ "$3" = "$built" ] || (cd "$work" && eval "$3") >"$work/build" 2>&1 ||
		{ fail "$name cannot be built"; cat "$work/build"; return; }
	built=$3
	for options in "-F 0" $([ "$HOSTILE" != all ] || echo "-F999"); do
		alone_and_with "$options"
		# shellcheck disable=SC2086 # words
		holds $5
	done
}

chosen=$*
# shellcheck source=/dev/null
. "$here/attacks.sh"
together
echo "$(wc -l <"$rows") rows; skipped for what they need: $(grep . "$skipped" || echo none)"
finish
