# fit.py: fits 160 small models, each from a table that Python makes line by line, in as many threads as asked for.
# SPDX-License-Identifier: MIT
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

MODELS = 160


def table(seed):
    return np.array([[(seed * i + j) % 97 for j in range(250)] for i in range(400)], dtype=float)


def fit(seed):
    x = table(seed)
    gram = x.T @ x + np.eye(250)
    for _ in range(12):
        gram = gram @ gram / np.abs(gram).max()
    return gram[0, 0]


with ThreadPoolExecutor(int(sys.argv[1])) as pool:
    print("fitted", len(list(pool.map(fit, range(MODELS)))))
