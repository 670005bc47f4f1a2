// go.mod: the mixture-of-experts transformer in Go; nothing but the standard library and BLAS.
// SPDX-License-Identifier: MIT
module moe-go

go 1.19
