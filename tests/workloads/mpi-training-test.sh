#!/bin/sh
# mpi-training-test.sh: train --mpi gives the losses of --mode=allreduce, and the MPI time of its ranks is measured.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
unwind_whole_stacks

# In a folder without train_mpi, as in a build without MPI.
cp "$train" "$work/train"
expect 2 "$work/train" --mpi
expect_says err "^train: --mpi: this build has no MPI .*; install libopenmpi-dev"
[ "$(wc -l <"$work/err")" -eq 1 ] || fail "a build without MPI says more than one line"
expect 2 "$PWD/workloads/infer" --mpi
if ! command -v "$MPIRUN" >/dev/null || [ ! -x workloads/train_mpi ]; then
	[ "$failures" -eq 0 ] || exit 1
	echo "there is no Open MPI here"
	exit 77
fi
expect 2 "$train" --mpi --hidden=1
expect_says err "hidden"
[ "$(wc -l <"$work/err")" -eq 1 ] || fail "a bad argument beside --mpi brings more than one line"

# losses WORD...: prints the losses of the program before and after.
losses()
{
	expect 0 "$@"
	[ "$(wc -l <"$work/out")" -eq 2 ] || fail "'$*' does not print two lines"
	sed -n 's/.*\(loss-before [0-9.]* loss-after [0-9.]*\) .*/\1/p' "$work/out"
}

# close WANTED GOT WHAT: checks a relative difference of at most 1e-5. Three gradients or more are summed in another order
# and have other roundings (6e-8 for each sum), which each update feeds back.
close()
{
	echo "$1 $2" | awk 'NF != 8 { exit 1 }
		{ for (i = 2; i <= 4; i += 2) { d = $i - $(i + 4); if (d > 1e-5 * $i || -d > 1e-5 * $i) exit 1 } }' ||
		fail "$3: '$2' is not '$1'"
}

# The sum of two gradients does not depend on the order: all digits are equal.
wanted=$(losses "$train" --mode=allreduce --steps=41 2)
got=$(losses "$MPIRUN" -n 2 "$train" --mpi --steps=41)
expect_says out ' threads 1 ranks 2 '
[ -n "$wanted" ] && [ "$wanted" = "$got" ] || fail "two ranks: '$got' is not '$wanted'"
close "$(losses "$train" --mode=allreduce --steps=21 4)" "$(losses "$MPIRUN" -n 2 "$train" --mpi --steps=21 2)" \
	"two ranks of two threads"
close "$(losses "$train" --mode=allreduce --steps=4 3)" "$(losses "$MPIRUN" -n 3 "$train" --mpi --steps=4)" \
	"ranks without a step in the last round"
# Without a launcher there is one rank.
wanted=$(losses "$train" --mode=allreduce --steps=10 1)
got=$(losses "$train" --mpi --steps=10)
[ "$wanted" = "$got" ] || fail "one rank: '$got' is not '$wanted'"

expect 0 "$MPIRUN" -n 2 "$blasprof" -q -F 0 -- "$train" --mpi --steps=20
expect 0 "$blasprof" report --format csv --table processes blasprof.0.db blasprof.1.db
tr -d '\r' <"$work/out" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ rows++; if ($at["rank"] != rows - 1 || $at["calls"] != 750 || $at["mpi_ns"] <= 0 || $at["blas_ns"] <= 0) bad = 1 }
	END { exit bad || rows != 2 }' || fail "not a row for each rank with its calls and its time in MPI"
expect 0 "$blasprof" report --format csv --table mpi blasprof.0.db blasprof.1.db
# One call of each rank in each of ten rounds. The main thread, which sums the results, is not a BLAS caller.
expect_says out '^2,MPI_Allreduce,20,'
finish
