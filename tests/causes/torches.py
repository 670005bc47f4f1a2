# torches.py: PyTorch in Python threads that hold the interpreter's lock most of the time, or seldom: torches.py N CASE.
# SPDX-License-Identifier: MIT
import sys
import threading
import time

import torch

N, CASE = int(sys.argv[1]), sys.argv[2]
STEPS = 1200 if CASE == "gil" else 6000  # each takes longer than the import
torch.set_num_threads(1)


def work(i):
    a = torch.ones(256, 256)
    small = torch.ones(4)
    for _ in range(STEPS // N):
        torch.mm(a, a)
        if CASE == "gil":
            for _ in range(200):
                small = small + 1


begin = time.monotonic()
threads = [threading.Thread(target=work, args=(i,)) for i in range(N)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
wall = time.monotonic() - begin
print("planted %s wall %.4f" % ("all" if CASE == "gil" else 0, wall))
