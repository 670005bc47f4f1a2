# threads.py: Python threads with one planted cause, or none: threads.py N CASE; prints what it planted.
# SPDX-License-Identifier: MIT
import sys
import threading
import time

import numpy

N, CASE = int(sys.argv[1]), sys.argv[2]
STEPS = 240 if CASE.startswith(("gil", "lock", "sleep")) else 960
lost = [0.0] * N
lock = threading.Lock()


def unit(a, c):
    """Gives the interpreter's lock back for as long as it takes."""
    numpy.dot(a, a, out=c)


def python_code():
    x = 0
    for i in range(30000):
        x += i % 7
    return x


def dictionary():
    words = {}
    for i in range(8000):
        words[str(i)] = words.get(str(i // 2), 0) + 1
    return words


def work(i):
    a, c = numpy.ones((256, 256), numpy.float32), numpy.empty((256, 256), numpy.float32)
    steps = STEPS // N
    if CASE == "imbalance" and N > 1:
        steps = (STEPS - STEPS // 3) // N + (STEPS // 3 if i == 0 else 0)
    cpu = time.thread_time()
    for _ in range(steps):
        for _ in range(4):
            unit(a, c)
        if CASE == "gil":
            python_code()
        elif CASE == "gil-dictionary":
            dictionary()
        elif CASE == "lock":
            begin = time.monotonic()
            with lock:
                lost[i] += time.monotonic() - begin
                for _ in range(4):
                    unit(a, c)
        elif CASE == "none-unlocked":
            for _ in range(4):
                unit(a, c)
        elif CASE == "sleep":
            begin = time.monotonic()
            time.sleep(0.002 * N)
            lost[i] += (time.monotonic() - begin) * (N - 1) / N
    busy[i] = time.thread_time() - cpu


busy = [0.0] * N
begin = time.monotonic()
threads = [threading.Thread(target=work, args=(i,)) for i in range(N)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
wall = time.monotonic() - begin
if CASE == "imbalance":
    lost = [N * max(busy) - sum(busy)]
if N == 1:
    lost = [0]
print("planted %s wall %.4f" % ("all" if CASE.startswith("gil") else sum(lost) / wall, wall))
