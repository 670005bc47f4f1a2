#!/bin/sh
# predict-test.sh: predictions from recorded runs and from a given BLAS share.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
# In such a short run, an OpenBLAS thread that spins at start-up can look like a BLAS worker.
export OPENBLAS_NUM_THREADS=1

# Amdahl's law and the queue model (see blasprof-models(7)), without any run.
expect 0 "$blasprof" predict --f=0.25 --threads=4 --units=1 --format=csv
[ "$(sed -n 2p "$work/out" | cut -d, -f2,11 | cut -c1-6)" = "4,2.28" ] || fail "amdahl of 0.25 is not 2.2857"
[ ! -e "$work/blasprof.db" ] || fail "a prediction makes a store"
prints "^ *4  *1  *1.51  *1.82  *1.80 " predict --f=0.55 --threads=1..8:x2 --units=1,2
[ "$(grep -c '^ *[0-9]' "$work/out")" -eq 8 ] || fail "not 4 thread counts with 2 units each"

expect_failure 125 "$blasprof" predict
cpu=$(one_cpu) # so that all thread counts but 1 are marked, however many CPUs there are
expect 0 taskset -c "$cpu" "$blasprof" --quiet -- "$train" --steps=100 2
prints "estimate" predict
prints "^model .* is the model for this program" predict
expect_says out "~"
# The same rows as JSON, with null for values that do not exist.
prints '"speedup_amdahl": 2\.28571428571429,' predict --f=0.25 --threads=4 --units=1 --format=json
expect_says out '"speedup": null,'
expect 0 "$blasprof" predict --format=csv --threads=2 --units=1
[ "$(sed -n 2p "$work/out" | cut -d, -f7)" = 2 ] || fail "the CSV does not say that f is an estimate"
expect 0 taskset -c "$cpu" "$blasprof" --quiet -- "$train" --steps=100 1
expect 0 "$blasprof" predict --threads=1-16
expect_silent err
expect_says out "at one thread, measured"
! grep -q "~" "$work/out" || fail "figures from a measured f are marked as estimates"
expect_says out "^ *16\* "
for model in amdahl bound queue forkjoin inner; do
	expect_says out $model
done
expect_failure 125 "$blasprof" predict --experiment="no such experiment"
finish
