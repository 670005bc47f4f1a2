#!/bin/sh
# store-test.sh: a store that cannot be used is refused before the command runs, and is not changed.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

contents()
{
	[ ! -f "$1" ] || cksum <"$1"
}

# refuses FILE PATTERN: all subcommands that use a store refuse FILE.
refuses()
{
	before=$(contents "$1")
	fails_with "$2" --store="$1" -- touch "$work/ran"
	[ ! -e "$work/ran" ] || fail "the command ran although its run could not be stored in $1"
	rm -f "$work/ran"
	for name in report list predict; do
		expect_failure 125 "$blasprof" $name --store="$1"
		expect_silent out
	done
	expect_failure 125 "$blasprof" compare --store="$1" 1 1
	[ "$before" = "$(contents "$1")" ] || fail "$1 was changed"
}

refuses "$work/missing/x.db" missing
refuses /proc/blasprof.db /proc/blasprof.db
refuses "$work" "$work"
echo "not a store, but a text of more than a hundred bytes, so that it is not refused for being" \
	"too short to have a header" >"$work/text"
refuses "$work/text" "$work/text"
: >"$work/empty"
refuses "$work/empty" "$work/empty"
if [ "$(id -u)" -ne 0 ]; then
	mkdir "$work/closed"
	chmod 500 "$work/closed"
	refuses "$work/closed/x.db" "Permission denied"
fi

# A store of another version; the version is at byte 60 of a SQLite file.
expect 0 "$blasprof" --quiet --store=old.db -- "$train" --steps=100 1
printf '\000\000\003\347' | dd of="$work/old.db" bs=1 seek=60 conv=notrunc 2>"$work/err"
refuses "$work/old.db" 999

if [ -n "$SQLITE3" ]; then
	"$SQLITE3" "$work/other.db" 'create table t (x); insert into t values (1);'
	refuses "$work/other.db" "$work/other.db"
fi
for name in report list predict; do
	expect_failure 125 "$blasprof" $name --store=none.db
	[ ! -e "$work/none.db" ] || fail "$name creates a missing store"
done

# A report never overwrites a store.
for command in 'report --format=csv -i kept.db -o kept.db' 'report -i kept.db -o .//kept.db' "--output=kept.db -- touch $work/ran"; do
	[ -e "$work/kept.db" ] || expect 0 "$blasprof" --quiet --store=kept.db -- "$train" --steps=5 1
	before=$(contents "$work/kept.db")
	# shellcheck disable=SC2086 # several words
	expect_failure 125 "$blasprof" $command
	[ "$before" = "$(contents "$work/kept.db")" ] || fail "'$command' changes a store"
done
[ ! -e "$work/ran" ] || fail "the command ran although its report could not be written"
fails_with "there is no directory 'none/'" report -i kept.db -o none/

# Earlier runs are kept.
expect 0 "$blasprof" --quiet -- "$train" --steps=100 1
expect 0 "$blasprof" --quiet -- "$train" --steps=100 2
expect 125 "$blasprof" --bogus -- "$train" --steps=100 4
stored 2

# If the store is lost while the command runs, the report is still printed.
mkdir "$work/lost"
printf '#!/bin/sh\nrm -r lost\nexec "%s" --steps=100 1\n' "$train" >"$work/lose"
chmod +x "$work/lose"
expect 125 "$blasprof" --store=lost/x.db -- ./lose
expect_says err "not stored"
expect_says err '^All tables.*: with --full$'
expect_says err 'blasprof -i lost/x.db '
left=$(sed -n "s,.*store the run's calls: blasprof recover \(.*\) -i lost/x.db\$,\1,p" "$work/err")
expect 0 "$blasprof" recover --quiet --store=found.db "$left"
prints " 7500 .*./lose" list --store=found.db
expect_failure 125 "$blasprof" recover "$left"

# A sweep ends in this case, with the same message.
mkdir "$work/lost"
expect_failure 125 "$blasprof" -q -t 1,2 --store=lost/x.db -- sh -c "'$train' --steps=100 \$0 && rm -rf '$work/lost'" '{}'
left=$(sed -n "s,.*store the run's calls: blasprof recover \(.*\) -i lost/x.db\$,\1,p" "$work/err")
expect 0 "$blasprof" recover --quiet --store=found.db "$left"
finish
