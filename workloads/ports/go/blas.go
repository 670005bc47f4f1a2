// blas.go: the BLAS calls: row-major matrix products without gaps between rows.
// SPDX-License-Identifier: MIT

package main

/*
#cgo pkg-config: openblas
#include <cblas.h>
*/
import "C"

// dims has the rows and columns of the result, and the length of the sums.
type dims struct{ m, n, k int }

func gemm(transA, transB C.enum_CBLAS_TRANSPOSE, d dims, alpha float32, a, b []float32, beta float32, c []float32) {
	if len(a) != d.m*d.k || len(b) != d.k*d.n || len(c) != d.m*d.n {
		panic("shapes of a product do not fit")
	}
	lda, ldb := d.k, d.n
	if transA == C.CblasTrans {
		lda = d.m
	}
	if transB == C.CblasTrans {
		ldb = d.k
	}
	C.cblas_sgemm(C.CblasRowMajor, transA, transB, C.int(d.m), C.int(d.n), C.int(d.k), C.float(alpha),
		(*C.float)(&a[0]), C.int(lda), (*C.float)(&b[0]), C.int(ldb), C.float(beta), (*C.float)(&c[0]), C.int(d.n))
}

// gemmNN computes c = alpha a b + beta c: a layer's output from its input and weight.
func gemmNN(d dims, alpha float32, a, b []float32, beta float32, c []float32) {
	gemm(C.CblasNoTrans, C.CblasNoTrans, d, alpha, a, b, beta, c)
}

// gemmNT computes c = alpha a b^T + beta c, b [n, k]: the gradient by a layer's input.
func gemmNT(d dims, alpha float32, a, b []float32, beta float32, c []float32) {
	gemm(C.CblasNoTrans, C.CblasTrans, d, alpha, a, b, beta, c)
}

// gemmTN computes c = alpha a^T b + beta c, a [k, m]: the gradient by a layer's weight.
func gemmTN(d dims, alpha float32, a, b []float32, beta float32, c []float32) {
	gemm(C.CblasTrans, C.CblasNoTrans, d, alpha, a, b, beta, c)
}

// useOneBLASThread makes BLAS use the caller's thread only.
func useOneBLASThread() {
	C.openblas_set_num_threads(1)
}
