# scipy_calls.py: calls BLAS through SciPy, and prints how often dgemm was called directly; with an argument, LAPACK.
# SPDX-License-Identifier: MIT
import sys

import numpy as np
import scipy.linalg

big = np.random.default_rng(2).random((200, 200))
if len(sys.argv) > 1:
    factor = scipy.linalg.lu_factor(big)
    assert np.allclose(big @ scipy.linalg.lu_solve(factor, big[0]), big[0])
    scipy.linalg.cholesky(big @ big.T + 200 * np.eye(200))
else:
    a = np.random.default_rng(1).random((12, 12))
    for _ in range(11):
        scipy.linalg.blas.dgemm(1.0, a, a)
    print("dgemm_ 12", 11)
    scipy.linalg.hessenberg(big)
