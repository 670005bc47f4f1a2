# completion.bash: completes blasprof's words in bash by what its --help says; zsh uses it as well.
# SPDX-License-Identifier: MIT

# The names that a section of the help lists.
_blasprof_section()
{
	sed -n "/^$1:/,/^\$/s/^  \([a-z][a-z_-]*\) .*/\1/p"
}

_blasprof_complete()
{
	local program=${COMP_WORDS[0]} cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local command='' commands help word argument section words='' before=''
	local IFS=$'\n' # names of files may have spaces

	commands=$("$program" --help | _blasprof_section Subcommands)
	for word in $commands; do
		[ "$COMP_CWORD" -gt 1 ] && [ "${COMP_WORDS[1]}" = "$word" ] && command=$word
	done
	for word in "${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
		[ "$word" = -- ] || continue
		COMPREPLY=($(compgen -c -f -- "$cur"))
		compopt -o filenames 2>/dev/null
		return
	done
	[ "$cur" = '=' ] && cur=
	[ "$prev" = '=' ] && prev=${COMP_WORDS[COMP_CWORD - 2]}
	case $cur in # in zsh they are one word
	--*=*) prev=${cur%%=*} before=${cur%%=*}= cur=${cur#*=} ;;
	esac
	help=$("$program" $command --help)
	# "  -f, --format=NAME": "format NAME" for either of them
	argument=$(printf '%s\n' "$help" | awk -v option="$prev" '/^  +-/ {
		split($1 ~ /,$/ ? $2 : $1, part, "=")
		if (part[2] != "" && (option "," == $1 || option == part[1])) print substr(part[1], 3), part[2]
	}')
	case $argument in
	'') words=$(printf '%s\n' "$help" | awk '/^  +-/ { print $1 ~ /,$/ ? substr($1, 1, 2) "\n" $2 : $1 }' | sed 's/=.*/=/') ;;
	*' FILE')
		COMPREPLY=($(compgen -P "$before" -f -- "$cur"))
		compopt -o filenames 2>/dev/null
		return
		;;
	format*) section=Formats ;;
	table*) section=Tables ;;
	by*) section='Tables by' ;;
	picture*) section=Pictures ;;
	esac
	[ -z "$section" ] || words=$(printf '%s\n' "$help" | _blasprof_section "$section")
	case $command,$COMP_CWORD,$before in ,1, | help,2,) words=$commands$IFS$words ;; esac
	COMPREPLY=($(compgen -P "$before" -W "$words" -- "$cur"))
	[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
	return 0
}
complete -o default -F _blasprof_complete blasprof
