#!/bin/sh
# session-test.sh: the preload library only writes to a session directory of its own user, and trusts no file name.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
shim=$PWD/.libs/libblasprof.so
ends=$PWD/tests/shim/ends

# Copies a valid control file before its session ends.
copy_control
expect 0 "$blasprof" -q -F 0 -i x.db -- sh -c "stat -c '%a %u' \"\$BLASPROF_SESSION\"/. >modes && '$ends' exit 1"
[ "$(cat "$work/modes")" = "700 $(id -u)" ] || fail "the session directory has $(cat "$work/modes")"

# records SESSION: prints how many records are written to that session; the program's exit status does not change.
records()
{
	got=0
	(cd "$work" && LD_PRELOAD=$shim BLASPROF_SESSION=$1 timeout 600 "$ends" _exit 3) \
		>"$work/out" 2>"$work/err" </dev/null || got=$?
	[ "$got" -eq 7 ] || fail "'$1': the program ends with $got instead of 7"
	[ ! -s "$work/out" ] && [ ! -s "$work/err" ] || fail "'$1': the program prints something"
	find "$work" -name 'p.*' -print -delete | wc -l
}

# session NAME: makes a directory as blasprof does.
session()
{
	mkdir -m 700 "$work/$1" && install -m 600 "$work/control" "$work/$1/session"
}

refused()
{
	[ "$(records "$1")" -eq 0 ] || fail "$2: a record was written"
}

session good
[ "$(records "$work/good")" -eq 1 ] || fail "no record in a good session"
(umask 0777 && [ "$(records "$work/good")" -eq 1 ]) || fail "no record where the umask forbids all"
refused good "a relative path"
refused "" "no path"
refused "$work/none" "no directory"
refused "$work/$(printf '%0300d' 0)" "a path of more than 300 bytes"
refused "$work/good/session" "a file for a directory"
ln -s good "$work/link"
refused "$work/link" "a symbolic link to a directory"
for mode in 755 770 707; do
	chmod $mode "$work/good"
	refused "$work/good" "a directory of mode $mode"
done

session linked
mv "$work/linked/session" "$work/linked/real"
ln -s real "$work/linked/session"
refused "$work/linked" "a symbolic link to a control file"
rm "$work/linked/session"
ln "$work/linked/real" "$work/linked/session"
refused "$work/linked" "a control file with two names"
rm "$work/linked/session"
mkfifo -m 600 "$work/linked/session"
refused "$work/linked" "a pipe for a control file"

session open
chmod 644 "$work/open/session"
refused "$work/open" "a control file that others may read"

# damage NAME OFFSET BYTES: writes the bytes, escaped for printf, into a control file; it must be refused.
damage()
{
	session "$1"
	# shellcheck disable=SC2059 # the bytes are escapes
	printf "$3" | dd of="$work/$1/session" bs=1 seek="$2" conv=notrunc 2>/dev/null
	refused "$work/$1" "a control file with a wrong $1"
}

damage magic 0 x
damage version 8 '\377'
damage clock 12 '\377'
damage tick 16 '\0\0\0\0\0\0\370\177'
damage roi 24 '\377'
damage factor 32 '\0\0\0\0\0\0\360\177'
damage size "$(stat -c %s "$work/control")" x
session short
truncate -s 50 "$work/short/session"
refused "$work/short" "a control file that is cut off"

if [ "$(id -u)" -eq 0 ]; then
	session other
	chown 65534 "$work/other"
	refused "$work/other" "another user's directory"
	session theirs
	chown 65534 "$work/theirs/session"
	refused "$work/theirs" "another user's control file"
fi
finish
