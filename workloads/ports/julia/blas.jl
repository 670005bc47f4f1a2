# blas.jl: the BLAS calls: products of whole matrices.
# SPDX-License-Identifier: MIT

const BLAS = "libopenblas.so.0"
const COLUMN_MAJOR, NO_TRANS, TRANS = 102, 111, 112

use_one_blas_thread() = ccall((:openblas_set_num_threads, BLAS), Cvoid, (Cint,), 1)

"c = alpha op(a) op(b) + beta c, where op transposes if its letter is 'T'."
function gemm!(ta::Char, tb::Char, alpha, a, b, beta, c)
    m, n = size(c)
    k = ta == 'T' ? size(a, 1) : size(a, 2)
    op_a = ta == 'T' ? (size(a, 2), size(a, 1)) : size(a)
    op_b = tb == 'T' ? (size(b, 2), size(b, 1)) : size(b)
    (op_a == (m, k) && op_b == (k, n)) || throw(DimensionMismatch("shapes of a product do not fit"))
    ccall((:cblas_sgemm, BLAS), Cvoid,
        (Cint, Cint, Cint, Cint, Cint, Cint, Cfloat, Ptr{Cfloat}, Cint, Ptr{Cfloat}, Cint, Cfloat,
            Ptr{Cfloat}, Cint),
        COLUMN_MAJOR, ta == 'T' ? TRANS : NO_TRANS, tb == 'T' ? TRANS : NO_TRANS, m, n, k, alpha,
        a, size(a, 1), b, size(b, 1), beta, c, m)
end
