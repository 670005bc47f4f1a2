#!/bin/sh
# one-unit-init.sh: the first process of one-unit-test.sh's machine: runs sweeps there, prints their figures, and stops.
# SPDX-License-Identifier: MIT
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
exec </dev/ttyS0 >/dev/ttyS0 2>&1
export PATH=/blasprof:/bin HOME=/tmp OPENBLAS_NUM_THREADS=1
cd /tmp || exit 99

# column NAME THREADS: of the last sweep's table that has a row for each thread count.
column()
{
	awk -F, -v name="$1" -v threads="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["threads"] == threads { print $at[name] }' threads.csv
}

# sweep NAME STEPS WHAT_IF ARGUMENT...: one line: f, the speed-up of two threads, replay's, and how many times as long
# BLAS without its queue and other code take in two threads.
sweep()
{
	name=$1 steps=$2 what_if=$3
	shift 3
	rm -f x.db
	blasprof -q -F 0 -w 0 --work steps -o x.db -t 1,2 ${what_if:+--what-if="$what_if"} -- \
		train "$@" --steps "$steps" '{}' >/dev/null
	blasprof report -i x.db --format csv --table threads >threads.csv
	for count in 1 2; do
		for figure in blas_ns blas_waiting_ns other_ns work; do
			printf '%s ' "$(column $figure $count)"
		done
	done | awk -v name="$name" -v f="$(column f_intercepted 1)" -v s="$(column speedup 2)" \
		-v replay="$(column speedup_replay 2)" '{
			printf "FIGURES %s %.3f %.3f %.3f %.3f %.3f\n", name, f, s, replay,
				($5 - $6) / $8 / (($1 - $2) / $4), $7 / $8 / ($3 / $4) }'
}

sweep short-sequences 60 units=1 --sequence=16 --blocks=1
sweep train 8 units=1
[ -e /plain ] && sweep no-what-if 60 "" --sequence=16 --blocks=1
echo ALL DONE
poweroff -f
