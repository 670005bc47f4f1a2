# processes.py: multiplies in processes of Python's multiprocessing, and prints the number of calls that the profile must show.
# SPDX-License-Identifier: MIT
import multiprocessing
import sys

import numpy as np

PROCESSES, PRODUCTS = 3, 20


def multiply(_):
    a, b = np.ones((24, 40)), np.ones((40, 16))
    for _ in range(PRODUCTS):
        a @ b


if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    children = [context.Process(target=multiply, args=(i,)) for i in range(PROCESSES)]
    multiply(0)
    for child in children:
        child.start()
    for child in children:
        child.join()
    print(PRODUCTS * (PROCESSES + 1))
