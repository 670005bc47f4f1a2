#!/bin/sh
# setuid-test.sh: in a program that runs with more rights than its user, the preload library ignores the environment.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
[ "$(id -u)" -eq 0 ] || { echo "only root can make a program run as another user" && exit 77; }
shim=$PWD/.libs/libblasprof.so

cp "$PWD/tests/shim/.libs/ends_linked" "$work/ends" 2>/dev/null || cp "$PWD/tests/shim/ends_linked" "$work/ends"
chmod 711 "$work" && chmod 755 "$work/ends" # whatever the umask is
as_nobody()
{
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
as_nobody "$work/ends" exit 1 || { echo "nobody may not enter $work" && exit 77; }
install -m 4755 "$(command -v id)" "$work/id"
[ "$(as_nobody "$work/id" -u)" = 0 ] || { echo "no program changes its user in $work (mount option nosuid)" && exit 77; }

copy_control
session()
{
	rm -rf "$work/session"
	mkdir -m 700 "$work/session"
	install -m 600 "$work/control" "$work/session/session"
	chown -R "$1" "$work/session"
}

# records OWNER: prints how many records the copy leaves in a session of OWNER when the user nobody runs it.
records()
{
	session "$1"
	got=0
	as_nobody env LD_PRELOAD="$shim" BLASPROF_SESSION="$work/session" "$work/ends" _exit 3 \
		>"$work/out" 2>"$work/err" </dev/null || got=$?
	[ "$got" -eq 7 ] || fail "the program ends with $got instead of 7"
	[ ! -s "$work/out" ] || fail "the program prints something"
	find "$work/session" -name 'p.*' | wc -l
}

[ "$(records 65534)" -eq 1 ] || fail "a plain program leaves no record"
chmod 4755 "$work/ends"
[ "$(records 0)" -eq 0 ] || fail "a setuid program writes into a session of its owner's"
[ "$(records 65534)" -eq 0 ] || fail "a setuid program writes into a session of its user's"
chown 0:0 "$work/ends"
chmod 2755 "$work/ends"
[ "$(records 65534)" -eq 0 ] || fail "a setgid program writes into a session"
finish
