//! blas.rs: the BLAS calls: row-major matrix products without gaps between rows.
// SPDX-License-Identifier: MIT
use std::os::raw::{c_float, c_int};

const ROW_MAJOR: c_int = 101;
const NO_TRANS: c_int = 111;
const TRANS: c_int = 112;

#[link(name = "openblas")]
extern "C" {
    fn cblas_sgemm(
        order: c_int,
        trans_a: c_int,
        trans_b: c_int,
        m: c_int,
        n: c_int,
        k: c_int,
        alpha: c_float,
        a: *const c_float,
        lda: c_int,
        b: *const c_float,
        ldb: c_int,
        beta: c_float,
        c: *mut c_float,
        ldc: c_int,
    );
    fn openblas_set_num_threads(threads: c_int);
}

/// Rows and columns of the result, and the length of the sums: m, n, k.
pub type Dims = (usize, usize, usize);

fn gemm(trans: (c_int, c_int), dims: Dims, alpha: f32, a: &[f32], b: &[f32], beta: f32, c: &mut [f32]) {
    let (m, n, k) = dims;
    assert!(a.len() == m * k && b.len() == k * n && c.len() == m * n, "shapes of a product do not fit");
    let lda = if trans.0 == TRANS { m } else { k };
    let ldb = if trans.1 == TRANS { k } else { n };
    // SAFETY: the assertion above checks the lengths of the slices.
    unsafe {
        cblas_sgemm(
            ROW_MAJOR,
            trans.0,
            trans.1,
            m as c_int,
            n as c_int,
            k as c_int,
            alpha,
            a.as_ptr(),
            lda as c_int,
            b.as_ptr(),
            ldb as c_int,
            beta,
            c.as_mut_ptr(),
            n as c_int,
        )
    }
}

/// c = alpha a b + beta c: a layer's output from its input and weight.
pub fn gemm_nn(dims: Dims, alpha: f32, a: &[f32], b: &[f32], beta: f32, c: &mut [f32]) {
    gemm((NO_TRANS, NO_TRANS), dims, alpha, a, b, beta, c)
}

/// c = alpha a b^T + beta c, b [n, k]: the gradient by a layer's input.
pub fn gemm_nt(dims: Dims, alpha: f32, a: &[f32], b: &[f32], beta: f32, c: &mut [f32]) {
    gemm((NO_TRANS, TRANS), dims, alpha, a, b, beta, c)
}

/// c = alpha a^T b + beta c, a [k, m]: the gradient by a layer's weight.
pub fn gemm_tn(dims: Dims, alpha: f32, a: &[f32], b: &[f32], beta: f32, c: &mut [f32]) {
    gemm((TRANS, NO_TRANS), dims, alpha, a, b, beta, c)
}

/// Makes BLAS use the caller's thread only.
pub fn use_one_thread() {
    // SAFETY: any number is valid.
    unsafe { openblas_set_num_threads(1) }
}
