#!/bin/sh
# completion-test.sh: the shells' completion knows every option of every subcommand.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

# complete WORD...: what bash offers for the last word.
complete()
{
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _blasprof; printf "%s\n" "${COMPREPLY[@]}"' \
		bash "$work/script" "$@"
}

# offers WANTED WORD...
offers()
{
	wanted=$1
	shift
	complete "$@" | grep -q -x -e "$wanted" || fail "'$*' is not completed to $wanted"
}

expect 0 "$blasprof" completion bash
cp "$work/out" "$work/script"
for subcommand in $(subcommands) ''; do
	# shellcheck disable=SC2086 # no word for the program itself
	"$blasprof" $subcommand --help | sed -n 's/^ \{2,6\}\(-[a-zA-Z], \)\{0,1\}--\([a-z-]*\)\(=*\).*/--\2\3/p' |
		grep -x -e '--[a-z-]*=\{0,1\}' >"$work/options"
	[ "$(wc -l <"$work/options")" -ge 2 ] || fail "few options in the help of '$subcommand'"
	while read -r option; do
		# shellcheck disable=SC2086
		offers "$option" blasprof $subcommand --
	done <"$work/options"
	[ -z "$subcommand" ] || offers "$subcommand" blasprof ""
done
offers json blasprof report --format = js
offers xlsx blasprof report -f x
offers shapes blasprof report --table = ""
if complete blasprof report --format = js | grep -q csv; then
	fail "a format that does not begin so is offered"
fi
# After -- comes the command, which has options of its own.
offers bash blasprof -- bas
offers "$srcdir/README.md" blasprof -t 1,2 -- bash "$srcdir/READ"
! complete blasprof -- bash --st | grep -q . || fail "the command gets options of blasprof"
expect 0 "$blasprof" completion zsh
cp "$work/out" "$work/script.zsh"
grep -q -e "--picture=" "$work/script.zsh" || fail "zsh does not know --picture"
! command -v zsh >/dev/null || expect 0 zsh -n "$work/script.zsh"
expect_failure 125 "$blasprof" completion fish
finish
