#!/bin/sh
# namespaces-test.sh: a program in its own PID namespace, as in a container, has one row for each thread.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
may_sample || exit 77

unshare -p -f true 2>/dev/null || { echo "no PID namespace can be made here"; exit 77; }

# check WORD...: starts the program in another namespace with these words.
check()
{
	# LeakSanitizer would use a process of its own.
	record_new x.db -F 1997 -- "$@" env LSAN_OPTIONS=detect_leaks=0 "$train" --steps=500 2
	callers_have_samples "$*"
	selects x.db "SELECT sum(samples_blas * (calls = 0)) * 20 <= sum(samples_blas) FROM threads" 1 "$*: few samples in BLAS without calls"
	selects x.db 'SELECT count(*), sum(calls > 0) FROM processes WHERE command LIKE "train%"' "1|1" "$*: rows of the process"
	[ "$(column run-threads role -i x.db | grep -c 'BLAS worker')" = 0 ] || fail "$*: threads are taken for BLAS workers"
}

callers_have_samples()
{
	selects x.db "SELECT count(*) FROM threads WHERE calls > 0" 2 "$1: callers"
	selects x.db "SELECT count(*) FROM threads WHERE calls > 0 AND samples_blas > 0 AND switch_waiting_ns >= 0" 2 "$1: callers with samples"
}

if unshare -p -f --mount-proc true 2>/dev/null; then
	check unshare -p -f --mount-proc
	# processes that have made calls and are idle until their end, so that nothing is sampled
	record_new x.db -- unshare -p -f --mount-proc sh -c 'for i in 1 2 3; do
			"$@" &
			until [ "$(ls "$BLASPROF_SESSION" | grep -c "^p[.]")" = $i ]; do sleep 0.01; done
			sleep 0.5
			kill $!
			wait
		done; true' - "$PWD/tests/shim/ends" stay 10
	selects x.db 'SELECT count(*), sum(calls > 0) FROM processes WHERE command LIKE "%ends"' "3|3" "rows of idle processes"
else
	echo "SKIP: /proc cannot be mounted in a namespace here, as in a chroot"
fi
check unshare -p -f
# The profiler has no CPU for a while. Then it reads the records of the threads, which one CPU wrote, before that of
# their process, which another wrote.
first=$(one_cpu)
last=$(taskset -cp $$ | sed 's/.*[,: -]//')
if [ "$first" != "$last" ]; then
	(eventually test -s "$work/profiler"; pid=$(cat "$work/profiler"); kill -STOP "$pid"; : >"$work/stopped"
		eventually test -e "$work/computes" && sleep 0.3; kill -CONT "$pid") &
	record_new x.db -F 1997 -- sh -c 'echo $PPID >asks; mv asks profiler; until [ -e stopped ]; do sleep 0.01; done
		exec taskset -c "$1" unshare -p -f taskset -c "$2" sh -c ": >computes; exec \"\$0\" --steps=1500 2" "$3"' - \
		"$last" "$first" "$train"
	wait
	callers_have_samples "records in another order"
fi
# a service like Slurm's starts the program with the environment of the command
ends=$PWD/tests/shim/ends
# shellcheck source=/dev/null
(eventually test -s "$work/asked" && . "$work/asked" && "$ends" exit 5; : >"$work/served") &
record_new x.db -- sh -c 'export -p >asking; mv asking asked; until [ -e served ]; do sleep 0.05; done'
wait
selects x.db 'SELECT count(*) FROM notes WHERE code = "process_not_sampled"' 1 "notes of a program that a service started"
# perf's clock is that of the first time namespace
if unshare -T --monotonic=1000 -f true 2>/dev/null; then
	rm -f "$work/x.db"
	expect 0 unshare -T --monotonic=1000 -f "$blasprof" -q -i x.db -- "$train" --steps=500 2
	selects x.db 'SELECT roi, (SELECT count(*) FROM notes WHERE code = "no_sampling") FROM runs' "blas|1" "in a time namespace"
fi
finish
