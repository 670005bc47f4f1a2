# jobs.py: joblib's threads or processes with one planted cause, or none: jobs.py N CASE. Prints the planted loss.
# SPDX-License-Identifier: MIT
import sys
import time

import joblib
import numpy

N, CASE = int(sys.argv[1]), sys.argv[2]
UNITS = 9600  # so many that the work takes longer than the imports and the start of processes


def warm_up():
    """Keeps a process busy until all others have imported this module, too."""
    task(1)
    time.sleep(1)


def task(units):
    a, c = numpy.ones((256, 256), numpy.float32), numpy.empty((256, 256), numpy.float32)
    cpu = time.thread_time()
    for _ in range(units):
        numpy.dot(a, a, out=c)
    return time.thread_time() - cpu


lost = 0.0
backend = "loky" if CASE.endswith("processes") else "threading"
with joblib.Parallel(n_jobs=N, backend=backend) as parallel:
    parallel(joblib.delayed(warm_up)() for _ in range(N))
    begin = time.monotonic()
    if CASE.startswith("imbalance") and N > 1:
        shares = [(UNITS - UNITS // 3) // N + (UNITS // 3 if i == 0 else 0) for i in range(N)]
        busy = parallel(joblib.delayed(task)(share) for share in shares)
        lost = N * max(busy) - sum(busy)
    else:
        busy = parallel(joblib.delayed(task)(UNITS // N) for _ in range(N))
    wall = time.monotonic() - begin
print("planted %.4f wall %.4f cpu %.4f" % (lost / wall, wall, sum(busy)))
