# torches.py: PyTorch in Python threads that hold the interpreter's lock most of the time, or seldom: torches.py N CASE.
# SPDX-License-Identifier: MIT
import sys
import threading
import time

import torch

N, CASE = int(sys.argv[1]), sys.argv[2]
STEPS = 1200
torch.set_num_threads(1)
lost = [0.0] * N


def work(i):
    a = torch.ones(256, 256)
    small = torch.ones(4)
    wall, cpu = time.monotonic(), time.thread_time()
    for _ in range(STEPS // N):
        torch.mm(a, a)
        if CASE == "gil":
            for _ in range(200):
                small = small + 1
    lost[i] = time.monotonic() - wall - (time.thread_time() - cpu)


begin = time.monotonic()
threads = [threading.Thread(target=work, args=(i,)) for i in range(N)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
wall = time.monotonic() - begin
print("planted %.4f wall %.4f" % (sum(lost) / wall if N > 1 and CASE == "gil" else 0, wall))
