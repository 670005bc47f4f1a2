// text.go: repeatable random numbers, and the generated text that the model learns.
// SPDX-License-Identifier: MIT

package main

// random is SplitMix64: a counter through a bit mixer.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// uniform returns a number in [0, 1) with 53 random bits.
func (r *random) uniform() float64 {
	return float64(r.next()>>11) / (1 << 53)
}

func (r *random) below(count int) int {
	return int(r.next() % uint64(count))
}

// A sentence has one word of each column.
var words = [7][8]string{
	{"the ", "a ", "every ", "one ", "no ", "this ", "my ", "her "},
	{"small ", "red ", "old ", "quick ", "lazy ", "", "", ""},
	{"fox ", "dog ", "bird ", "queen ", "miller ", "child ", "horse ", "river "},
	{"sees ", "finds ", "wants ", "follows ", "jumps over ", "keeps ", "loves ", "hears "},
	{"the ", "a ", "his ", "that ", "some ", "every ", "my ", "one "},
	{"house", "garden", "stone", "box", "song", "tree", "moon", "view"},
	{" at night", " in the rain", " by day", " again", "", "", "", ""},
}

type text struct {
	tokens     []byte
	vocabulary int
	seed       uint64
}

// generateText generates `length` or a few more characters, numbered by their rank among those that occur.
func generateText(length int, seed uint64) *text {
	t := &text{seed: seed}
	r := random(seed)
	for len(t.tokens) < length {
		for _, column := range words {
			t.tokens = append(t.tokens, column[r.below(8)]...)
		}
		t.tokens = append(t.tokens, ".\n"...)
	}
	var occurs [256]bool
	var number [256]byte
	for _, token := range t.tokens {
		occurs[token] = true
	}
	for value := range occurs {
		if occurs[value] {
			number[value] = byte(t.vocabulary)
			t.vocabulary++
		}
	}
	for i, token := range t.tokens {
		t.tokens[i] = number[token]
	}
	return t
}

// sample returns the sequence of `needed` characters for this step.
func (t *text) sample(needed, step int) []byte {
	r := random(t.seed)
	mixed := random(r.next() + uint64(step))
	start := mixed.below(len(t.tokens) - needed + 1)
	return t.tokens[start : start+needed]
}
