#!/bin/sh
# man-test.sh: the manual pages document every option, subcommand, routine and column.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
[ -e man/blasprof.1 ] || exit 77

for name in "" $(subcommands); do
	page=man/blasprof${name:+-$name}.1
	tr -d '\\' <"$page" | sed 's/f[BIR]//g' >"$work/out"
	: >"$work/err"
	# shellcheck disable=SC2086 # no word when there is no name
	for option in $("$blasprof" $name --help | sed -n 's/^ .* \(--[a-z-]*\).*/\1/p; s/^  \(-[a-zA-Z]\),.*/\1/p'); do
		expect_says out "^.*$option"
	done
	expect_says out "^.SH \"*EXIT STATUS"
	expect_says out "^blasprof[a-z-]* - [a-z]"
	[ -z "$name" ] || grep -q "blasprof.*-$name" man/blasprof.1 || fail "blasprof(1) does not mention $name"
done

# blasprof-routines(7) has every routine, and 4 ways in which matrix work is found; blasprof-tables(7) has every column.
tr -d '\\' <man/blasprof-routines.7 >"$work/page"
"$blasprof" routines | sed '1d;/^$/,$d;s/ .*//' | sort -u >"$work/wanted"
[ "$(grep -c "^[.]B " "$work/page")" -eq "$(($(wc -l <"$work/wanted") + 1 + 4))" ] || fail "blasprof-routines(7) does not list all routines once"
while read -r wanted; do
	grep -qxF ".B $wanted" "$work/page" || fail "blasprof-routines(7) lacks $wanted"
done <"$work/wanted"
expect 0 "$blasprof" -q -i tables.db -- "$PWD/tests/shim/truth" 1 0.5 20
tr -d '\\' <man/blasprof-tables.7 >"$work/page"
for table in $("$blasprof" report --help | sed -n '/^Tables:/,/^$/s/^  \([a-z_-]*\).*/\1/p'); do
	grep -qx ".SS $table" "$work/page" || fail "blasprof-tables(7) lacks $table"
	expect 0 "$blasprof" report --store=tables.db --format=tsv --table="$table"
	sed 1q "$work/out" | tr '\t' '\n' >"$work/wanted"
	while read -r wanted; do
		awk -v table=".SS $table" '/^[.]S[SH]/ { on = $0 == table } on' "$work/page" | grep -qxF ".B $wanted" || fail "blasprof-tables(7) lacks $table.$wanted"
	done <"$work/wanted"
done
[ "$(grep -c '^[.]BR [a-z_]* " (\(note\|warning\))"' "$work/page")" -ge 30 ] || fail "few warnings in blasprof-tables(7)"

# blasprof-db(5) has every table and column of a store, and its examples run.
[ -n "$SQLITE3" ] || finish
expect 0 "$blasprof" -q -i db -- "$PWD/tests/shim/truth" 1 0.5 20
tr -d '\\' <man/blasprof-db.5 >"$work/page"
"$SQLITE3" "$work/db" "SELECT '^[.]SS ' || m.name, '^[.]BR ' || c.name || ' ' FROM sqlite_schema m, pragma_table_info(m.name) c
	WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND c.name NOT IN ('run', 'seq')" | tr '|' '\n' | sort -u >"$work/wanted"
[ "$(wc -l <"$work/wanted")" -ge 30 ] || fail "the store has few columns"
while read -r wanted; do
	grep -q "$wanted" "$work/page" || fail "blasprof-db(5) lacks $wanted"
done <"$work/wanted"
sed -n '/^.SH EXAMPLES/,/^.SH SEE/{/^.EX/,/^.EE/{/^\./!p;};}' "$work/page" >"$work/queries"
[ "$(grep -c ';$' "$work/queries")" -ge 5 ] || fail "few examples in blasprof-db(5)"
"$SQLITE3" -bail "$work/db" <"$work/queries" >"$work/out" 2>"$work/err" || fail "an example of blasprof-db(5) fails"
expect_says out '|0[.][0-9]'
expect_silent err
finish
