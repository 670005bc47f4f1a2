#!/bin/sh
# pages-test.sh: the installed pages are valid, and document all options, variables, routines, columns and warnings.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
[ -e man/blasprof.1 ] || exit 77

# The pages that make installs.
pages=$MANPAGES
[ "$(echo "$pages" | wc -w)" -ge 16 ] || fail "few pages are installed: $pages"
[ "$(echo "$pages" | tr ' ' '\n' | sort | tr '\n' ' ')" = "$(printf '%s\n' man/*.[1-9] | sort | tr '\n' ' ')" ] || fail "pages that are built are not installed, or the reverse"

for page in $pages; do
	[ -z "$MANDOC" ] || [ -z "$("$MANDOC" -Tlint "$page" | tee "$work/lint")" ] || fail "mandoc: $(cat "$work/lint")"
	if command -v groff >"$work/out"; then
		groff -ww -man -Tutf8 -t -Z "$page" 2>"$work/lint" >"$work/out"
		[ ! -s "$work/lint" ] || fail "groff: $(cat "$work/lint")"
	fi
	if man --version 2>"$work/err" | grep -q '^man '; then
		LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Z -Tutf8 "$page" 2>"$work/lint" >"$work/out"
		[ ! -s "$work/lint" ] || fail "man --warnings: $(cat "$work/lint")"
	fi
done

title=$(grep -h '^\.TH' man/*.3 man/*.5 man/*.7 | grep -cv " \"[0-9-]*\" \"blasprof $(sed -n 's/^PACKAGE_VERSION = //p' Makefile)\"")
[ "$title" -eq 0 ] || fail "$title titles lack the date or the version"
for name in report predict compare; do
	tr -d '\\' <man/blasprof-$name.1 | grep -q 'blasprof-models' || fail "blasprof-$name(1) does not mention blasprof-models(7)"
done

# plain PAGE: prints the page without roff's escapes.
plain()
{
	sed 's/\\f[BIRP]//g; s/\\,//g; s,\\/,,g' "$1" | tr -d '\\'
}

# Each row of a command's help (options, variables, formats) is in its page.
for name in "" $(subcommands); do
	page=man/blasprof${name:+-$name}.1
	plain $page >"$work/page"
	# shellcheck disable=SC2086 # no word when there is no name
	"$blasprof" $name --help | sed -n 's/^  \(    \)\{0,1\}\([-A-Za-z_][-A-Za-z0-9_=, ]*\)\(  .*\)*$/\2/p' | sed 's/  .*//; s/ *$//' >"$work/rows"
	[ "$(wc -l <"$work/rows")" -ge 4 ] || fail "few rows in the help of '$name'"
	while IFS= read -r row; do
		grep -qF -e "$row" "$work/page" || fail "$page lacks '$row'"
	done <"$work/rows"
	for line in '[.]SH ENVIRONMENT' '[.]SH "*EXIT STATUS' 'blasprof[a-z-]* - [a-z]'; do
		grep -q "^$line" "$work/page" || fail "$page has no line '$line'"
	done
	[ -z "$name" ] || grep -q "blasprof.*-$name" man/blasprof.1 || fail "blasprof(1) does not mention $name"
done

# has_lines: the page has each of the lines in $work/wanted.
has_lines()
{
	sort -u "$work/page" | comm -13 - "$work/wanted" >"$work/missing"
	[ ! -s "$work/missing" ] || fail "a page lacks: $(cat "$work/missing")"
}

# blasprof-routines(7) has every routine once, and 4 ways in which matrix work is found.
"$blasprof" routines | sed '1d;/^$/,$d;s/ .*//;s/^/.B /' | sort -u >"$work/wanted"
plain man/blasprof-routines.7 >"$work/page"
has_lines
[ "$(grep -c "^[.]B " "$work/page")" -eq "$(($(wc -l <"$work/wanted") + 1 + 4))" ] ||
	fail "blasprof-routines(7) does not list all routines once"

# blasprof-tables(7) has every column of each table, below its heading.
expect 0 "$blasprof" -q -i x.db -- "$PWD/tests/shim/truth" 1 0.5 20
plain man/blasprof-tables.7 | awk '/^[.]S[SH]/ { table = $2 } /^[.]B / && NF == 2 { print table, $2 }' >"$work/page"
for table in $("$blasprof" report --help | sed -n '/^Tables:/,/^$/s/^  \([a-z_-]*\).*/\1/p'); do
	expect 0 "$blasprof" report -i x.db --format=tsv --table="$table"
	sed 1q "$work/out" | tr '\t' '\n' | sed "s/^/$table /" | sort -u >"$work/wanted"
	has_lines
done

# Each environment variable that the sources read is in blasprof(1).
plain man/blasprof.1 >"$work/page"
cat "$srcdir"/profiler/*/*.[ch] "$srcdir"/analysis/*/*.[ch] >"$work/sources"
grep -oE '(getenv|secure_getenv)\([^)]*\)' "$work/sources" | sed 's/.*(//; s/)//' | sort -u >"$work/read"
[ "$(wc -l <"$work/read")" -ge 10 ] || fail "found few variables"
while IFS= read -r name; do
	case $name in
	\"*) wanted=$(echo "$name" | tr -d '"') ;;
	name | 'jobs[i]') continue ;;                       # variables of MPI launchers are checked below
	variable | 'trial->knobs[i].variable') continue ;; # blasprof try: variables of thread pools, and those that the user names
	*) wanted=$(sed -n "s/^#define $name[[:space:]]*\"\([A-Z0-9_]*\)\".*/\1/p" "$work/sources") ;;
	esac
	[ -n "$wanted" ] || fail "unknown variable in getenv($name)"
	grep -qxF "$wanted" "$work/page" || fail "blasprof(1) lacks the variable $wanted"
done <"$work/read"
[ "$(grep -lE 'getenv\((name|jobs)' "$srcdir"/profiler/*/*.c "$srcdir"/analysis/*/*.c)" = "$srcdir/profiler/launch/ranks.c" ] || fail "variables are read by unknown names"
for name in $(grep -oE '"(OMPI|PMIX|PMI|MV2|PALS|SLURM)_[A-Za-z_]*"' "$srcdir/profiler/launch/ranks.c" | tr -d '"') \
	$(sed -n '/variables\[\] = {/,/};/p' "$srcdir/profiler/machine/machine.c" | grep -oE '"[^"]*"' | tr -d '"*'); do
	grep -qF -e "$name" "$work/page" || fail "blasprof(1) lacks the variable $name"
done

# Commands in the README and in the tutorial have only options that exist.
grep -hoE '(^    |^)blasprof .*' "$srcdir/README.md" "$srcdir/doc/tutorial.md" | sed 's/^ *blasprof //; s/#.*//; s/ -- .*//; s/ >.*//' >"$work/lines"
[ "$(wc -l <"$work/lines")" -ge 20 ] || fail "found few commands in README.md"
while read -r line; do
	name=${line%% *}
	case " $(subcommands | tr '\n' ' ') " in *" $name "*) ;; *) name= ;; esac
	# shellcheck disable=SC2086 # no word when there is no name
	"$blasprof" $name --help >"$work/help"
	for option in $(echo "$line" | grep -oE -e '(^| )--?[a-zA-Z][a-z-]*' | tr -d ' '); do
		grep -qE -e "^ .*${option}[ =,]" "$work/help" || fail "README.md or the tutorial has '$line', but there is no $option"
	done
done <"$work/lines"

# Each warning is in blasprof-tables(7).
grep -oE '^	\{"[a-z_]+",' "$srcdir/analysis/report/warning_rows.c" | tr -d '\t{",' | sort -u >"$work/wanted"
[ "$(wc -l <"$work/wanted")" -ge 30 ] || fail "found few warnings"
plain man/blasprof-tables.7 | sed -n 's/^[.]BR \([a-z_]*\) " (\(note\|warning\))"/\1/p' >"$work/page"
has_lines

# blasprof-db(5) has every table and column of a store, and its examples run.
[ -n "$SQLITE3" ] || finish
ask x.db "SELECT '.SS ' || m.name, '.BR ' || c.name FROM sqlite_schema m, pragma_table_info(m.name) c
	WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND c.name NOT IN ('run', 'seq')" | tr '|' '\n' | sort -u >"$work/wanted"
[ "$(wc -l <"$work/wanted")" -ge 30 ] || fail "the store has few columns"
plain man/blasprof-db.5 | cut -d ' ' -f 1,2 >"$work/page"
has_lines
sed -n '/^.SH EXAMPLES/,/^.SH SEE/{/^.EX/,/^.EE/{/^\./!p;};}' man/blasprof-db.5 | tr -d '\\' >"$work/queries"
[ "$(grep -c ';$' "$work/queries")" -ge 5 ] || fail "few examples in blasprof-db(5)"
"$SQLITE3" -bail "$work/x.db" <"$work/queries" >"$work/out" 2>"$work/err" || fail "an example of blasprof-db(5) fails"
expect_says out '|0[.][0-9]'
expect_silent err
finish
