# threads.py: Python threads with one planted cause, or none, with numpy or (cases "torch-...") PyTorch: threads.py N CASE.
# Prints the planted loss.
# SPDX-License-Identifier: MIT
import queue
import sys
import threading
import time

N, CASE = int(sys.argv[1]), sys.argv[2]
# so many that the work takes longer than the imports and the exit
STEPS = {"lock": 240, "sleep": 240, "torch-gil": 3600, "torch-none": 12000}.get(CASE, 960)
lost = [0.0] * N
busy = [0.0] * N
lock = threading.Lock()
results = queue.Queue()

if CASE.startswith("torch"):
    import torch

    torch.set_num_threads(1)
else:
    import numpy


def make_unit():
    """Returns a function that releases the interpreter's lock while it runs."""
    if CASE.startswith("torch"):
        a = torch.ones(256, 256)
        return lambda: torch.mm(a, a)
    a, c = numpy.ones((256, 256), numpy.float32), numpy.empty((256, 256), numpy.float32)

    def units():
        for _ in range(4):
            numpy.dot(a, a, out=c)

    return units


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


def small_tensors():
    small = torch.ones(4)
    for _ in range(200):
        small = small + 1


def work(i):
    unit = make_unit()

    def three_units():
        for _ in range(3):
            unit()

    codes = {"gil": python_code, "gil-dictionary": dictionary, "torch-gil": small_tensors, "none-unlocked": three_units}
    beside = codes.get(CASE)
    steps = STEPS // N
    if CASE == "imbalance" and N > 1:
        steps = (STEPS - STEPS // 3) // N + (STEPS // 3 if i == 0 else 0)
    if CASE == "imbalance-queue" and N > 1:  # the first thread does three units for each of the other
        steps = STEPS // 4
    start, cpu = time.monotonic(), time.thread_time()
    for _ in range(steps):
        if CASE == "imbalance-queue" and N > 1:
            if i:
                results.get()
            else:
                unit(), unit()
        unit()
        if CASE == "imbalance-queue" and not i:
            results.put(1)
        if beside:
            beside()
        elif CASE == "lock":
            begin = time.monotonic()
            with lock:
                lost[i] += time.monotonic() - begin
                three_units()
        elif CASE == "sleep":
            begin = time.monotonic()
            time.sleep(0.002 * N)
            lost[i] += (time.monotonic() - begin) * (N - 1) / N
    busy[i] = time.thread_time() - cpu
    if "gil" in CASE:  # the threads wait for nothing else
        lost[i] = time.monotonic() - start - busy[i]


begin = time.monotonic()
threads = [threading.Thread(target=work, args=(i,)) for i in range(N)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
wall = time.monotonic() - begin
if CASE.startswith("imbalance"):
    lost = [N * max(busy) - sum(busy)]
# Handing the lock over at each small operation takes more CPU time than the operations: all of the loss is the lock's.
size = "all" if CASE == "torch-gil" else "%.4f" % (sum(lost) / wall if N > 1 else 0)
print("planted %s wall %.4f cpu %.4f" % (size, wall, sum(busy)))
