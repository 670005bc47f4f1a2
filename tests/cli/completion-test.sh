#!/bin/sh
# completion-test.sh: shell completion knows every option of every subcommand.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

# complete WORD...: prints what bash offers for the last word.
complete()
{
	shift
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _blasprof_complete; printf "%s\n" "${COMPREPLY[@]}"' \
		bash "$srcdir/profiler/cli/completion.bash" "$blasprof" "$@"
}

# offers WANTED WORD...: WANTED is among the completions.
offers()
{
	wanted=$1
	shift
	complete "$@" | grep -q -x -e "$wanted" || fail "'$*' is not completed to $wanted"
}

for subcommand in $(subcommands) ''; do
	# shellcheck disable=SC2086 # no word for the program itself
	"$blasprof" $subcommand --help | sed -n 's/^ \{2,6\}\(-[a-zA-Z], \)\{0,1\}--\([a-z-]*\)\(=*\).*/--\2\3/p' |
		grep -x -e '--[a-z-]*=\{0,1\}' >"$work/options"
	[ "$(wc -l <"$work/options")" -ge 2 ] || fail "few options in the help of '$subcommand'"
	# shellcheck disable=SC2086
	complete blasprof $subcommand -- >"$work/offered"
	while read -r option; do
		grep -q -x -e "$option" "$work/offered" || fail "'$subcommand --' is not completed to $option"
	done <"$work/options"
	[ -z "$subcommand" ] || offers "$subcommand" blasprof ""
done
offers json blasprof report --format = js
offers xlsx blasprof report -f x
offers shapes blasprof report --table = ""
offers recover blasprof help rec
touch "$work/with a space.db"
offers "$work/with a space.db" blasprof report -i "$work/wi"
offers "$work/with a space.db" blasprof -- cat "$work/wi"
# zsh passes an option and its argument as one word
! complete blasprof --call-graph= | grep -q report || fail "an argument is completed to a subcommand"
if complete blasprof report --format = js | grep -q csv; then
	fail "a format that does not begin so is offered"
fi
# The words after -- are the command, which has its own options.
offers bash blasprof -- bas
offers "$srcdir/README.md" blasprof -t 1,2 -- bash "$srcdir/READ"
! complete blasprof -- bash --st | grep -q . || fail "the command gets options of blasprof"
! command -v zsh >/dev/null || zsh -n "$srcdir/profiler/cli/completion.zsh" || fail "zsh cannot read its script"
finish
