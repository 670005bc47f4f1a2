#!/bin/sh
# disk-test.sh: without room for session or store, calls are kept or reported as lost, and the program is not affected.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

ends=$PWD/tests/shim/ends
many=$PWD/tests/soak/many
mkdir "$work/small"
if ! unshare -m sh -c "mount -t tmpfs -o size=8k none '$work/small'" 2>/dev/null; then
	echo "only root can mount a small file system here"
	exit 77
fi

shm=4k

# within KIB WORD...: runs it with a /dev/shm of size $shm and a TMPDIR of KIB KiB.
within()
{
	kib=$1
	shift
	cat >"$work/within" <<-END
		mount -t tmpfs -o size=$shm none /dev/shm && mount -t tmpfs -o size=${kib}k none '$work/small' || exit 99
		unset BLASPROF_TMPDIR
		TMPDIR='$work/small'
		export TMPDIR
		exec "\$@"
	END
	set -- unshare -m sh "$work/within" "$@"
	"$@"
}

# run KIB WORD...: profiles the command with such file systems; it must succeed.
run()
{
	rm -f "$work/disk.db"
	kib=$1
	shift
	(cd "$work" && within "$kib" "$blasprof" -q -F 0 -i disk.db -- "$@") >"$work/out" 2>"$work/err" </dev/null ||
		fail "'$*' in $kib KiB ends with $?"
}

# If one place is full, the next is used.
run 64 "$ends" exit 1000
expect_silent err
[ "$(ask disk.db "SELECT sum(calls) FROM threads")" = 1000 ] || fail "not all calls are in the store where TMPDIR is full"
[ "$(ask disk.db "SELECT count(*) FROM notes WHERE code = 'session_disk_full'")" = 0 ] || fail "the session is in the full TMPDIR"

# If it fills up during the run, every call is either stored or reported as lost.
for way in threads turns; do
	run 1100 "$many" $way 300 3
	expect_says out '^900$'
	kept=$(ask disk.db "SELECT sum(calls) FROM threads")
	lost=$(ask disk.db "SELECT coalesce(sum(CAST(detail AS INTEGER)), 0) FROM notes WHERE code = 'calls_unrecorded'")
	[ $((kept + lost)) = 900 ] || fail "$way: $kept calls kept and $lost reported as lost are not 900"
	[ "$way" = turns ] || [ "$lost" -gt 0 ] || fail "300 threads fit in 1100 KiB, so nothing was tested"
done
run 1100 "$many" forks 60 3
expect_says out '^180$'
kept=$(ask disk.db "SELECT sum(calls) FROM threads")
lost=$(ask disk.db "SELECT count(*) FROM notes WHERE code = 'calls_unrecorded' AND detail LIKE 'all calls of process %'")
[ $((kept + 3 * lost)) = 180 ] || fail "forks: $kept calls kept and $lost processes reported as lost are not 60 times 3"
[ "$(ask disk.db "SELECT count(*) FROM notes WHERE detail LIKE 'all calls of process %' AND detail NOT LIKE '%No space left%'")" = 0 ] ||
	fail "processes are reported as lost for another reason than a full disk"

# The program can use all of Docker's default of 64 MiB of shared memory.
shm=64m
run 200000 sh -c "fallocate -l 63m /dev/shm/fill && '$many' threads 300 3"
[ "$(ask disk.db "SELECT sum(calls) FROM threads")" = 900 ] || fail "calls are lost with Docker's shared memory"

# Records leave most of the shared memory to the program, and continue elsewhere.
shm=128m
run 200000 sh -c "fallocate -l 1m /dev/shm/fill && '$many' threads 2000 3 && df --output=avail /dev/shm | tail -1 >left && ls '$work/small'"
[ "$(cat "$work/left")" -ge 122000 ] || fail "the records leave only this much of 128 MiB of shared memory: $(cat "$work/left") KiB"
expect_says out '^blasprof-'
[ "$(ask disk.db "SELECT sum(calls) FROM threads")" = 6000 ] || fail "calls are lost with little shared memory"
[ "$(ask disk.db "SELECT count(*) FROM notes WHERE code = 'calls_unrecorded' OR code LIKE 'record%'")" = 0 ] ||
	fail "calls are reported as lost with little shared memory"
run 200000 sh -c "fallocate -l 100m /dev/shm/fill && '$many' forks 60 3 && '$many' threads 300 3"
[ "$(ask disk.db "SELECT sum(calls) FROM threads")" = 1080 ] || fail "calls are lost if the program needs the shared memory"
# shellcheck disable=SC2016 # the inner shell's
within 200000 sh -c '"$@"; ls -A "$TMPDIR" /dev/shm' sh "$blasprof" -q -F 0 -i "$work/disk.db" -- "$ends" exit 5 >"$work/out"
! grep -q blasprof- "$work/out" || fail "a part of the session is left behind"
shm=4k

# A store on a full disk keeps its runs, and a new run can be stored once there is room.
cat >"$work/fill" <<END
mount -t tmpfs -o size=1m none '$work/small' && cd '$work/small' || exit 99
'$blasprof' -q -F 0 -i full.db -- '$ends' exit 50 || exit 98
dd if=/dev/zero of=fill bs=1k count=2000 2>/dev/null
'$blasprof' -q -F 0 -i full.db -- '$ends' exit 60 2>'$work/err'
echo "status \$?"
'$blasprof' -q -F 0 -i new.db -- '$ends' exit 60 2>>'$work/err'
echo "status \$?"
rm -f fill
'$blasprof' -q -F 0 -i full.db -- '$ends' exit 70 || exit 97
'$blasprof' recover -q -i full.db "\$(sed -n "s/.*: blasprof recover \([^ ]*\) -i .*/\1/p" '$work/err')" || exit 96
'$SQLITE3' full.db "SELECT sum(calls) FROM threads GROUP BY run"
END
expect 0 unshare -m sh "$work/fill"
[ "$(tr '\n' ' ' <"$work/out")" = "status 125 status 125 50 70 60 " ] || {
	fail "a store on a full disk loses runs, or the failure is not reported"
	show_output
}
finish
