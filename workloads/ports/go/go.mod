// go.mod: the mixture-of-experts transformer in Go; needs the standard library and BLAS only.
// SPDX-License-Identifier: MIT
module moe-go

go 1.19
