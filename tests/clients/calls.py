# calls.py: makes a known number of BLAS calls with numpy and ctypes, and prints what the profile must show.
# SPDX-License-Identifier: MIT
import ctypes
import sys
import threading

import numpy as np

THREADS, PRODUCTS, LOOKED_UP = 2, 50, 7


def multiply(a, b):
    for _ in range(PRODUCTS):
        a @ b


def call_by_ctypes(path):
    """Looks a routine up in one library by its handle, and calls it."""
    library = ctypes.CDLL(path, mode=ctypes.RTLD_LOCAL)
    a, c = np.ones((8, 8)), np.zeros((8, 8))
    one, zero, eight = ctypes.c_double(1), ctypes.c_double(0), ctypes.c_int(8)
    a_at, c_at = (x.ctypes.data_as(ctypes.c_void_p) for x in (a, c))
    for _ in range(LOOKED_UP):
        library.dgemm_(b"N", b"N", ctypes.byref(eight), ctypes.byref(eight), ctypes.byref(eight),
                       ctypes.byref(one), a_at, ctypes.byref(eight), a_at, ctypes.byref(eight),
                       ctypes.byref(zero), c_at, ctypes.byref(eight), ctypes.c_size_t(1), ctypes.c_size_t(1))
    assert c[3, 4] == 8
    assert not hasattr(library, "cblas_dgemm64_"), "the library seems to have a routine that it lacks"


a, b = np.random.rand(24, 40), np.random.rand(40, 16)
threads = [threading.Thread(target=multiply, args=(a, b)) for _ in range(THREADS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("cblas_dgemm 24 16 40", THREADS * PRODUCTS)
for path in sys.argv[1:]:
    call_by_ctypes(path)
print("dgemm_ 8 8 8", LOOKED_UP * len(sys.argv[1:]))
