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
	expect_says err ' WAY=short\( OTHER=1\)\{0,1\}  <- best$'
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
	expect_says err ' {}=[12]$'
	expect_says err ' unchanged ({}=[12])$'
}
beside equal

# Each run reads the same input.
echo one word >"$work/input"
# shellcheck disable=SC2016 # for the inner shell
expect 0 sh -c 'exec "$1" try -r 3 --set=OTHER=1 -- sh -c "echo run >>begun; cat >>seen" <input' - "$blasprof"
[ "$(grep -cx 'one word' "$work/seen")" -eq "$(wc -l <"$work/begun")" ] || fail "the runs read other input: $(cat "$work/seen")"
[ "$(wc -l <"$work/begun")" -ge 2 ] || fail "nothing is tried"

# Two runs may differ by any factor by chance.
# shellcheck disable=SC2016 # for the inner shell
expect 0 "$blasprof" try -r 2 --set=SLOW=0 -- sh -c '[ "$SLOW" = 0 ] || sleep 0.3'
expect_says err '^Ended by -r after 2 runs: .*so far SLOW=0 looks [0-9.]* times'
expect_says err 'give -r 100'
expect_says err ' SLOW=0  <- best so far$'

# interrupted STATUS WHEN WORD...: a signal that the command sends to blasprof in run WHEN ends the search with STATUS.
interrupted()
{
	wanted=$1 when=$2
	shift 2
	rm -f "$work/count"
	# shellcheck disable=SC2016 # for the inner shell
	expect "$wanted" env --default-signal=INT "$blasprof" try --set=OTHER=1,2 -- sh -c \
		'echo run >>count; [ "$(wc -l <count)" -ne "$1" ] || eval "$2"' sh "$when" "$*"
	[ "$(wc -l <"$work/count")" -eq "$when" ] || fail "the search went on after '$*'"
}
# The first run is profiled, the second is the first that counts.
# shellcheck disable=SC2016 # for the inner shell
for when in 1 3; do
	interrupted 143 $when '(sleep 0.05; exec kill -TERM $PPID) & wait; sleep 1'
	interrupted 129 $when '(sleep 0.05; exec kill -HUP $PPID) & wait; sleep 1'
	interrupted 130 $when 'trap "exit 0" INT; kill -INT $PPID; kill -INT $$'
	interrupted 130 $when 'kill -INT $$'
	! grep -q 'failed' "$work/err" || fail "an interrupted run counts as failed"
	[ $when = 3 ] || expect_says err '^Interrupted in the first run: no setting was compared'
done
expect_says err '^ .* unchanged$'
expect_says err '^Interrupted after 1 run: '

# No option is left out without a word.
values=$(seq -s , 40)
fails_with "names 'WAY' twice" try --set=WAY=long --set=WAY=short -- ./program
fails_with "over 31 values of 'WAY'" try --set="WAY=$values" -- ./program
fails_with "over 32 thread counts" try -t 1-40 -- ./program {}
fails_with "over 8 settings" try --set=A=1 --set=B=1 --set=C=1 --set=D=1 --set=E=1 --set=F=1 --set=G=1 --set=H=1 --set=I=1 -- ./program
fails_with "no {} to replace; write it" try -t 2 -- ./program
# The line can be typed into a shell.
name=$(printf 'A%.0s' $(seq 70))
# shellcheck disable=SC2016 # for the inner shell
expect 0 env -u WAY "$blasprof" try --set="$name=short way" -- sh -c 'eval "way=\$$1"; [ "$way" = "short way" ] || sleep 0.3' sh "$name"
expect_says err "^  $name='short way' sh -c "
! grep -q 'trying all' "$work/err" || fail "it says what trying all takes, though it has"

expect_failure 125 "$blasprof" try
expect_failure 125 "$blasprof" try -- ./program
expect_failure 125 "$blasprof" try --set=WAY -- ./program
expect_failure 125 env WAY=bad "$blasprof" try --set=OTHER=1 -- ./program
together
finish
