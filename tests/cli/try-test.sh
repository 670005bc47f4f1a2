#!/bin/sh
# try-test.sh: `blasprof try' finds the fastest setting, and recommends none if others are no faster.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

# Fails with one value, and takes ten times as long as with `short' otherwise, even if starting programs is slow.
cat >"$work/program" <<'END'
#!/bin/sh
echo run >>runs
echo output
[ "$WAY" != bad ] || exit 3
times="1 2 3 4 5 6 7 8 9 10"
[ "$WAY" != short ] || times=1
for i in $times; do sleep 0.08; done
END
chmod +x "$work/program"

program=$work/program
fastest()
{
	ln -s "$program" "$work"
	expect 0 "$blasprof" try --set=WAY=long,bad,short --set=OTHER=1 -- ./program
	expect_says err '^  WAY=short\( OTHER=1\)\{0,1\} ./program$'
	expect_says err '^ *failed .* WAY=bad'
	[ "$(grep -c output "$work/out")" = 1 ] || fail "the command's output is not there once"
	[ ! -e "$work/blasprof.db" ] || fail "runs were stored"
	[ "$(wc -l <"$work/runs")" -le 20 ] || fail "it took $(wc -l <"$work/runs") runs"
}
beside fastest

export WAY=short # it is as good with any setting
equal()
{
	ln -s "$program" "$work"
	prints 'leave the settings as they are\|OTHER=' try -o - --set=OTHER=1,2 -- ./program
	expect 0 "$blasprof" try -r 2 --set=WAY=long -- ./program
	# "unchanged" is 2, or 1 where there is one CPU
	expect 0 "$blasprof" try -t 1,2 -- sh -c 'sleep 0.$((3 / {}))'
	expect_says err '{}=[12]$'
}
beside equal

expect_failure 125 "$blasprof" try
expect_failure 125 "$blasprof" try -- ./program
expect_failure 125 "$blasprof" try --set=WAY -- ./program
expect_failure 125 env WAY=bad "$blasprof" try --set=OTHER=1 -- ./program
together
finish
