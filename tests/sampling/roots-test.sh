#!/bin/sh
# roots-test.sh: programs in another mount namespace or root get names from their own files; those whose file was replaced get none.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
may_sample || exit 77
[ "$(id -u)" -eq 0 ] && namespace="unshare -m" || namespace="unshare -rm"
$namespace true 2>/dev/null || { echo "no mount namespaces for this user" && exit 77; }

# Two programs have the same path: burn in our namespace, and train in that of the program.
path=$PWD/tests/sampling/burn
mkdir "$work/root"

# check COMMANDS: runs train under that path, in another namespace.
check()
{
	record_new x.db -F 2000 --roi=process -- $namespace sh -c "$*"
	expect 0 "$blasprof" report --store=x.db --format=tsv --table=functions
	grep "$path" "$work/out" >"$work/named"
	grep -q adamw_update "$work/named" || fail "$*: the program's functions have no names: $(head -3 "$work/named")"
	expect 0 "$blasprof" report --store=x.db --format=tsv --table=callers
	grep "$path" "$work/out" | grep -q experts_backward || fail "$*: callers have no names: $(head -3 "$work/out")"
	! grep -e burn_ -e spend -e do_step -e start_threads "$work/named" || fail "$*: functions of the other program are named"
}

check "mount --bind '$train' '$path' && exec '$path' --steps=300 1"
check "mount --rbind / '$work/root' && mount --bind '$train' '$work/root$path' &&
	exec chroot '$work/root' '$path' --steps=300 1"

# A file that a build or a copy overwrites after it has run keeps its inode.
# has_only_addresses TABLE: the program has no names in the table.
has_only_addresses()
{
	expect 0 "$blasprof" report --store=x.db --format=tsv --table="$1"
	grep "$work/ran" "$work/out" >"$work/named" || fail "$1: the program is missing"
	! cut -f 2 "$work/named" | grep -v '^ran+0x' || fail "$1: names are from another file than the one that ran"
}
record_new x.db -F 2000 --roi=process -- sh -c \
	"cp '$train' '$work/ran' && '$work/ran' --steps=300 1 && cat '$PWD/workloads/infer' >'$work/ran'"
has_only_addresses functions
has_only_addresses callers
expect 0 "$blasprof" report --store=x.db --format=tsv --table=warnings
grep -q "$work/ran: it was replaced since it ran" "$work/out" || fail "there is no warning about the replaced file"
finish
