#!/bin/sh
# mpi-test.sh: each rank of an MPI job has its own store, and one report merges them.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
if ! command -v "$MPIRUN" >/dev/null || [ ! -x tests/launch/mpi_ranks ]; then
	echo "there is no Open MPI here"
	exit 77
fi
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_mpi_yield_when_idle=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
export OMPI_MCA_mpi_yield_when_idle
ln -s "$PWD/tests/launch/mpi_ranks" "$work/ranks"
ranks=./ranks # lines of the report can be as long as a path

# figures TABLE STORE...: prints the table as CSV.
figures()
{
	table=$1
	shift
	(cd "$work" && "$blasprof" report --format csv --table "$table" "$@" | tr -d "\r")
}

echo kept >"$work/report"
expect 0 "$MPIRUN" -n 3 "$blasprof" -F 0 -o report -- "$ranks" 20
[ "$(cat "$work/report")" = kept ] || fail "ranks, which print no report, empty its file"
expect_says out '^120$'
expect_says err 'blasprof report blasprof.\*.db'
[ "$(wc -l <"$work/err")" -eq 1 ] || fail "the ranks print more than one line"
for rank in 0 1 2; do
	[ -e "$work/blasprof.$rank.db" ] || fail "rank $rank has no store"
done
stores="blasprof.0.db blasprof.1.db blasprof.2.db"
# shellcheck disable=SC2086 # these are words
figures threads $stores >"$work/all"
# shellcheck disable=SC2086
[ "$(column threads threads $stores) $(column threads calls $stores)" = "3 60" ] || fail "not 60 calls of three threads"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	NR == 2 { sum = $at["blas_ns"] + $at["other_ns"] + $at["waiting_ns"] + $at["preempted_ns"] + $at["mpi_ns"]
		all = $at["threads"] * $at["wall_ns"]
		exit !(sum - all < 10 && all - sum < 10 && $at["mpi_ns"] > 0) }' "$work/all" ||
	fail "the parts of the ranks' time do not add up"
# shellcheck disable=SC2086
[ "$(column mpi routine $stores) $(column mpi calls $stores)" = "MPI_Allreduce 60" ] || fail "not 60 MPI_Allreduce"
# shellcheck disable=SC2086
[ "$(column processes rank $stores | tr '\n' ' ')" = "0 1 2 " ] || fail "not a process for each rank"

prints 'Imbalance: the busiest rank' report --full blasprof.2.db blasprof.0.db blasprof.1.db
expect_says out 'MPI_Allreduce'
[ "$(sed '/speed-up, run/d' "$work/out" | wc -L)" -le 100 ] || fail "lines of over 100 columns"
prints 'ranks of the MPI job are missing' report --full blasprof.1.db

# Callers, functions and stacks include those of all ranks.
mkdir "$work/sampled"
expect 0 "$MPIRUN" -n 2 "$blasprof" -q -F 997 -i sampled/x.db -- "$train" --steps=60 1
for table in callers shapes; do
	column $table calls sampled/x.0.db sampled/x.1.db | sum >"$work/$table"
done
cmp "$work/callers" "$work/shapes" || fail "$(cat "$work/callers") calls of callers, $(cat "$work/shapes") by shape"
expect 0 "$blasprof" report --full sampled/x.0.db sampled/x.1.db
! grep -q 'do not add up' "$work/out" || fail "the ranks' samples do not add up"
alone=$(figures stacks sampled/x.0.db | awk 'END { print NR }')
[ "$(figures stacks sampled/x.0.db sampled/x.1.db | awk 'END { print NR }')" -ge "$alone" ] || fail "stacks are missing"

# If the whole process is measured, the time in MPI before the first BLAS call, which is not intercepted, is that of the samples.
if may_sample; then
	expect 0 env OMPI_MCA_mpi_yield_when_idle=0 "$MPIRUN" -n 2 "$blasprof" -q -F 997 --roi=process -i early.db -- "$ranks" 1 1
	measured=$(sed -n 's/^barrier \(.*\) ms$/\1/p' "$work/out")
	ask early.1.db "SELECT sum(mpi_ns) FROM threads WHERE calls > 0" |
		awk -v measured="$measured" '{ printf "in MPI %.0f ms, by the program %.0f ms\n", $1 / 1e6, measured
			exit !(measured > 0 && $1 / 1e6 > 0.7 * measured) }' ||
		fail "what a rank waits in MPI before its first BLAS call is not MPI"
	ask early.1.db "SELECT total(samples * (function LIKE '%MPI_Barrier')), total(samples) FROM functions WHERE code = 'spin'" |
		awk -F '|' '{ print $1 " of " $2 " samples that spin are in MPI_Barrier()"; exit !($1 > 0.9 * $2) }' ||
		fail "the place at which a rank waits is not MPI_Barrier()"
fi

# A rank that is blocked in MPI waits for MPI, in the line that calls it, and not in BLAS. A library between both sleeps.
if command -v mpicc >/dev/null; then
	cat >"$work/asleep.c" <<-'END'
		#include <mpi.h>
		#include <unistd.h>
		int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
		{
			usleep(20000);
			return PMPI_Allreduce(from, to, count, type, op, comm);
		}
	END
	mpicc -shared -fPIC -o "$work/asleep.so" "$work/asleep.c" || fail "no library that sleeps"
	expect 0 env LD_PRELOAD="$work/asleep.so" "$blasprof" -q -F 997 -i asleep.db -- "$ranks" 20
	if waits_known asleep.db; then
		line=$(grep -n 'MPI_Allreduce(&' "$srcdir/tests/launch/mpi_ranks.c" | cut -d : -f 1)
		ask asleep.db "SELECT 1 FROM waits WHERE kind = 'MPI' AND NOT in_blas AND caller = 'main' AND line = $line AND total_ns > 300e6" >"$work/out"
		expect_says out 1
	fi
fi

# The exit status is the program's; the rank is inserted into the name of the store.
expect 3 "$MPIRUN" -n 2 "$blasprof" -q -F 0 -i out.d -- sh -c "'$ranks' 1; exit 3"
[ -e "$work/out.0.d" ] && [ -e "$work/out.1.d" ] || fail "the ranks' stores are not named after the given one"
expect 0 env PMI_RANK=0 PMI_SIZE=1 "$blasprof" -q -F 0 -i one.db -- "$train" --steps=5 1
[ -e "$work/one.db" ] || fail "the only rank's store has another name"
expect 0 env SLURM_PROCID=4 SLURM_STEP_NUM_TASKS=8 "$blasprof" -q -F 0 -i one.db -- "$train" --steps=5 1
[ -e "$work/one.4.db" ] || fail "a rank of Slurm is not seen"
expect 0 env SLURM_PROCID=0 SLURM_NTASKS=8 "$blasprof" -q -F 0 -i script.db -- "$train" --steps=5 1
[ -e "$work/script.db" ] || fail "a batch script of Slurm is taken for a rank"
finish
