// model.go: the mixture-of-experts transformer: forward, backward and update.
// SPDX-License-Identifier: MIT

package main

import (
	"math"
	"sort"
)

// visit is an expert that the sequence goes to, and the weight of its output.
type visit struct {
	expert            int
	weight            float32
	gate, up, product []float32 // [tokens, inner]
}

// block has the activations of a block that backward needs.
type block struct {
	input, middle                   []float32 // [tokens, hidden] residual stream
	attentionScale, attentionNormed []float32
	query, key, value, mixed        []float32 // [tokens, hidden]
	attention                       []float32 // [tokens, tokens]
	expertsScale, expertsNormed     []float32
	mean                            []float32 // [hidden]
	visits                          []visit   // in order of expert
}

// worker is the working memory of one thread: all data that a step writes except the parameters.
type worker struct {
	shape
	block                                                      []block
	stream, finalScale, finalNormed, logits, scores            []float32
	dStream, dNormed, dQuery, dKey, dValue, dMixed, dAttention []float32
	dProduct, dGate, dUp, dMean, dWeight                       []float32
}

func newBlock(s *shape) block {
	b := block{
		attentionScale: make([]float32, s.tokens), expertsScale: make([]float32, s.tokens),
		attention: make([]float32, s.tokens*s.tokens), mean: make([]float32, s.hidden), visits: make([]visit, s.topK),
	}
	for _, p := range []*[]float32{&b.input, &b.middle, &b.attentionNormed, &b.query, &b.key, &b.value, &b.mixed,
		&b.expertsNormed} {
		*p = make([]float32, s.tokens*s.hidden)
	}
	for i := range b.visits {
		inner := s.tokens * s.inner
		b.visits[i] = visit{gate: make([]float32, inner), up: make([]float32, inner), product: make([]float32, inner)}
	}
	return b
}

func newWorker(s shape) *worker {
	w := &worker{
		shape: s, finalScale: make([]float32, s.tokens), logits: make([]float32, s.tokens*s.vocabulary),
		scores: make([]float32, s.experts), dAttention: make([]float32, s.tokens*s.tokens),
		dMean: make([]float32, s.hidden), dWeight: make([]float32, s.topK),
	}
	for _, p := range []*[]float32{&w.stream, &w.finalNormed, &w.dStream, &w.dNormed, &w.dQuery, &w.dKey, &w.dValue,
		&w.dMixed} {
		*p = make([]float32, s.tokens*s.hidden)
	}
	for _, p := range []*[]float32{&w.dProduct, &w.dGate, &w.dUp} {
		*p = make([]float32, s.tokens*s.inner)
	}
	for b := 0; b < s.blocks; b++ {
		w.block = append(w.block, newBlock(&s))
	}
	return w
}

// forward predicts tokens[1:] from the tokens before, and returns the mean loss in nats.
func (w *worker) forward(p tensors, tokens []byte) float64 {
	t, h, v := w.tokens, w.hidden, w.vocabulary
	copy(w.stream, p[position])
	for i, token := range tokens[:t] {
		add(w.stream[i*h:(i+1)*h], p[embedding][int(token)*h:][:h], 1)
	}
	for b := range w.block {
		parameters := p[modelTensors+b*blockTensors:]
		w.attentionForward(parameters, &w.block[b])
		w.expertsForward(parameters, &w.block[b])
	}
	rmsnormForward(w.finalNormed, w.finalScale, w.stream, p[finalGain])
	gemmNN(dims{t, v, h}, 1, w.finalNormed, p[head], 0, w.logits)
	return crossEntropyForward(w.logits, tokens[1:])
}

func (w *worker) temper() float32 {
	return 1 / sqrt(float32(w.hidden))
}

func (w *worker) attentionForward(p tensors, b *block) {
	t, h := w.tokens, w.hidden
	copy(b.input, w.stream)
	rmsnormForward(b.attentionNormed, b.attentionScale, b.input, p[attentionGain])
	gemmNN(dims{t, h, h}, 1, b.attentionNormed, p[query], 0, b.query)
	gemmNN(dims{t, h, h}, 1, b.attentionNormed, p[key], 0, b.key)
	gemmNN(dims{t, h, h}, 1, b.attentionNormed, p[value], 0, b.value)
	gemmNT(dims{t, t, h}, w.temper(), b.query, b.key, 0, b.attention)
	causalSoftmaxForward(b.attention, t)
	gemmNN(dims{t, h, t}, 1, b.attention, b.value, 0, b.mixed)
	gemmNN(dims{t, h, h}, 1, b.mixed, p[output], 1, w.stream)
	copy(b.middle, w.stream)
}

// route chooses the experts for all tokens by their mean; of equal experts it takes the first.
func (w *worker) route(p tensors, b *block) {
	h := w.hidden
	zero(b.mean)
	for r := 0; r < w.tokens; r++ {
		add(b.mean, b.expertsNormed[r*h:(r+1)*h], 1/float32(w.tokens))
	}
	order := make([]int, w.experts)
	for e := range order {
		order[e] = e
		w.scores[e] = dot(b.mean, p[router][e*h:(e+1)*h])
	}
	sort.SliceStable(order, func(i, j int) bool { return w.scores[order[i]] > w.scores[order[j]] })
	highest := w.scores[order[0]]
	chosen := order[:w.topK]
	sort.Ints(chosen)
	var sum float32
	for i, expert := range chosen {
		b.visits[i].expert = expert
		b.visits[i].weight = float32(math.Exp(float64(w.scores[expert] - highest)))
		sum += b.visits[i].weight
	}
	for i := range b.visits {
		b.visits[i].weight /= sum
	}
}

func (w *worker) expertsForward(p tensors, b *block) {
	t, h, f := w.tokens, w.hidden, w.inner
	rmsnormForward(b.expertsNormed, b.expertsScale, b.middle, p[expertsGain])
	w.route(p, b)
	for _, v := range b.visits {
		first, end := v.expert*h*f, (v.expert+1)*h*f
		gemmNN(dims{t, f, h}, 1, b.expertsNormed, p[gate][first:end], 0, v.gate)
		gemmNN(dims{t, f, h}, 1, b.expertsNormed, p[up][first:end], 0, v.up)
		swigluForward(v.product, v.gate, v.up, v.weight)
		gemmNN(dims{t, h, f}, 1, v.product, p[down][first:end], 1, w.stream)
	}
}

// backward overwrites g with the gradient of the loss; after forward on the same tokens.
func (w *worker) backward(p, g tensors, tokens []byte) {
	t, h, v := w.tokens, w.hidden, w.vocabulary
	for _, tensor := range g {
		zero(tensor)
	}
	zero(w.dStream)
	crossEntropyBackward(w.logits, tokens[1:])
	gemmTN(dims{h, v, t}, 1, w.finalNormed, w.logits, 0, g[head])
	gemmNT(dims{t, h, v}, 1, w.logits, p[head], 0, w.dNormed)
	rmsnormBackward(w.dStream, g[finalGain], w.dNormed, w.stream, w.finalScale, p[finalGain])
	for b := w.blocks - 1; b >= 0; b-- {
		first := modelTensors + b*blockTensors
		w.expertsBackward(p[first:], g[first:], &w.block[b])
		w.attentionBackward(p[first:], g[first:], &w.block[b])
	}
	for i, token := range tokens[:t] {
		add(g[embedding][int(token)*h:][:h], w.dStream[i*h:(i+1)*h], 1)
	}
	copy(g[position], w.dStream)
}

func (w *worker) expertsBackward(p, g tensors, b *block) {
	t, h, f := w.tokens, w.hidden, w.inner
	zero(w.dNormed)
	for i, v := range b.visits {
		first, end := v.expert*h*f, (v.expert+1)*h*f
		gemmNT(dims{t, f, h}, 1, w.dStream, p[down][first:end], 0, w.dProduct)
		gemmTN(dims{f, h, t}, 1, v.product, w.dStream, 0, g[down][first:end])
		w.dWeight[i] = swigluBackward(w.dGate, w.dUp, w.dProduct, v.gate, v.up, v.weight)
		gemmTN(dims{h, f, t}, 1, b.expertsNormed, w.dGate, 0, g[gate][first:end])
		gemmTN(dims{h, f, t}, 1, b.expertsNormed, w.dUp, 0, g[up][first:end])
		gemmNT(dims{t, h, f}, 1, w.dGate, p[gate][first:end], 1, w.dNormed)
		gemmNT(dims{t, h, f}, 1, w.dUp, p[up][first:end], 1, w.dNormed)
	}
	w.routeBackward(p, g, b)
	rmsnormBackward(w.dStream, g[expertsGain], w.dNormed, b.middle, b.expertsScale, p[expertsGain])
}

// routeBackward adds to dNormed and to the router's gradient; the choice has no gradient.
func (w *worker) routeBackward(p, g tensors, b *block) {
	h := w.hidden
	var mean float32
	for i, v := range b.visits {
		mean += v.weight * w.dWeight[i]
	}
	zero(w.dMean)
	for i, v := range b.visits {
		dScore := v.weight * (w.dWeight[i] - mean)
		add(g[router][v.expert*h:(v.expert+1)*h], b.mean, dScore)
		add(w.dMean, p[router][v.expert*h:(v.expert+1)*h], dScore)
	}
	for r := 0; r < w.tokens; r++ {
		add(w.dNormed[r*h:(r+1)*h], w.dMean, 1/float32(w.tokens))
	}
}

func (w *worker) attentionBackward(p, g tensors, b *block) {
	t, h := w.tokens, w.hidden
	gemmTN(dims{h, h, t}, 1, b.mixed, w.dStream, 0, g[output])
	gemmNT(dims{t, h, h}, 1, w.dStream, p[output], 0, w.dMixed)
	gemmNT(dims{t, t, h}, 1, w.dMixed, b.value, 0, w.dAttention)
	gemmTN(dims{t, h, t}, 1, b.attention, w.dMixed, 0, w.dValue)
	causalSoftmaxBackward(w.dAttention, b.attention, t)
	gemmNN(dims{t, h, t}, w.temper(), w.dAttention, b.key, 0, w.dQuery)
	gemmTN(dims{t, h, t}, w.temper(), w.dAttention, b.query, 0, w.dKey)
	zero(w.dNormed)
	for i, d := range [][]float32{w.dQuery, w.dKey, w.dValue} {
		gemmTN(dims{h, h, t}, 1, b.attentionNormed, d, 0, g[query+i])
		gemmNT(dims{t, h, h}, 1, d, p[query+i], 1, w.dNormed)
	}
	rmsnormBackward(w.dStream, g[attentionGain], w.dNormed, b.input, b.attentionScale, p[attentionGain])
}

// model is the model that one thread trains.
type model struct {
	shape
	parameters, gradient, mean, square tensors
	steps                              int
}

func newModel(s shape, seed uint64) *model {
	return &model{shape: s, parameters: s.started(seed), gradient: s.zeros(), mean: s.zeros(), square: s.zeros()}
}

// update makes one AdamW update by the gradient; gains do not decay.
func (m *model) update() {
	m.steps++
	for i, row := range m.table() {
		decay := float32(0.01)
		if row.start == ones {
			decay = 0
		}
		adamwUpdate(m.parameters[i], m.mean[i], m.square[i], m.gradient[i], 0.128/float32(m.hidden), decay, m.steps)
	}
}
