// tensors.go: the model's tensors and sizes.
// SPDX-License-Identifier: MIT

package main

import "math"

type shape struct {
	tokens, hidden, inner, blocks, experts, topK, vocabulary int
}

type start int

const (
	ones start = iota
	fanIn
	small
)

// tensors are in the order of their initialisation: those of the model, then those of each block. A
// matrix is [in, out], so that y = x W. The matrices of all experts are one tensor.
type tensors [][]float32

// Indices of the model's tensors, and of a block's tensors relative to its first one.
const (
	embedding = iota
	position
	finalGain
	head
	modelTensors
)
const (
	attentionGain = iota
	query
	key
	value
	output
	expertsGain
	router
	gate
	up
	down
	blockTensors
)

type tensorRow struct {
	matrices, rows, cols int
	start                start
}

func (s *shape) table() []tensorRow {
	h, f, e := s.hidden, s.inner, s.experts
	gain, square := tensorRow{1, 1, h, ones}, tensorRow{1, h, h, fanIn}
	table := []tensorRow{{1, s.vocabulary, h, small}, {1, s.tokens, h, small}, gain, {1, h, s.vocabulary, fanIn}}
	for b := 0; b < s.blocks; b++ {
		table = append(table, gain, square, square, square, square, gain,
			tensorRow{1, e, h, small}, tensorRow{e, h, f, fanIn}, tensorRow{e, h, f, fanIn}, tensorRow{e, f, h, fanIn})
	}
	return table
}

func (s *shape) zeros() tensors {
	var all tensors
	for _, row := range s.table() {
		all = append(all, make([]float32, row.matrices*row.rows*row.cols))
	}
	return all
}

func (s *shape) started(seed uint64) tensors {
	r := random(seed)
	all := s.zeros()
	for i, row := range s.table() {
		// a uniform number in [-1, 1] has a standard deviation of 1 / sqrt(3)
		reach := math.Sqrt(3) * 0.1
		if row.start == fanIn {
			reach = math.Sqrt(3) / math.Sqrt(float64(row.rows))
		}
		for j := range all[i] {
			if row.start == ones {
				all[i][j] = 1
			} else {
				all[i][j] = float32(reach * (2*r.uniform() - 1))
			}
		}
	}
	return all
}

func (s *shape) parameters() int {
	count := 0
	for _, row := range s.table() {
		count += row.matrices * row.rows * row.cols
	}
	return count
}

// calls returns the cblas_sgemm calls of one step in the blocks, and in all, including the output head.
func (s *shape) calls(trains bool) (inBlocks, inAll int) {
	passes := 1
	if trains {
		passes = 3
	}
	inBlocks = s.blocks * (6 + 3*s.topK) * passes
	return inBlocks, inBlocks + passes
}
