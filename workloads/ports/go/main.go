// main.go: the mixture-of-experts transformer in Go: trains or runs it on threads, and prints the result.
// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"sync"
	"time"
)

const generatedTextBytes = 1 << 16

// share has the results of one thread.
type share struct {
	losses     []float64
	start, end time.Time
}

// run has the data that all threads share.
type run struct {
	shape
	text           *text
	seed           uint64
	steps, threads int
	trains         bool
}

// work does steps index, index + threads, ... on a separate thread, after all threads are ready.
func (r *run) work(index int, shared tensors, ready *sync.WaitGroup) share {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	w := newWorker(r.shape)
	m := &model{parameters: shared}
	if r.trains {
		m = newModel(r.shape, r.seed)
	}
	ready.Done()
	ready.Wait()
	s := share{start: time.Now()}
	for step := index; step < r.steps; step += r.threads {
		tokens := r.text.sample(r.tokens+1, step)
		s.losses = append(s.losses, w.forward(m.parameters, tokens))
		if r.trains {
			w.backward(m.parameters, m.gradient, tokens)
			m.update()
		}
	}
	s.end = time.Now()
	return s
}

func (r *run) run() []share {
	var ready, done sync.WaitGroup
	var shared tensors
	if !r.trains {
		shared = r.started(r.seed)
	}
	shares := make([]share, r.threads)
	ready.Add(r.threads)
	done.Add(r.threads)
	for i := range shares {
		go func(i int) {
			defer done.Done()
			shares[i] = r.work(i, shared, &ready)
		}(i)
	}
	done.Wait()
	return shares
}

func (r *run) printShape(task string) {
	inBlocks, inAll := r.calls(r.trains)
	fmt.Printf("%s hidden %d inner %d blocks %d experts %d top-k %d sequence %d vocabulary %d parameters %d "+
		"routing sequence sgemm-in-blocks %d sgemm-a-step %d\n", task, r.hidden, r.inner, r.blocks, r.experts, r.topK,
		r.tokens, r.vocabulary, r.parameters(), inBlocks, inAll)
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, value := range x {
		sum += value
	}
	return sum / float64(len(x))
}

// losses returns the means over threads of the first and the last tenth of their steps, and the mean of all steps.
func (r *run) losses(shares []share) (before, after, all float64) {
	busy := 0.0
	for _, s := range shares {
		count := len(s.losses)
		if count == 0 {
			continue
		}
		window := count / 10
		if window == 0 {
			window = 1
		}
		busy++
		before += mean(s.losses[:window])
		after += mean(s.losses[count-window:])
		all += mean(s.losses) * float64(count)
	}
	return before / busy, after / busy, all / float64(r.steps)
}

func (r *run) printResult(shares []share) {
	start, end := shares[0].start, shares[0].end
	for _, s := range shares {
		if s.start.Before(start) {
			start = s.start
		}
		if s.end.After(end) {
			end = s.end
		}
	}
	seconds := end.Sub(start).Seconds()
	rate := float64(r.steps) / seconds
	digits := 1
	if rate < 100 {
		digits = 4
	}
	before, after, all := r.losses(shares)
	if r.trains {
		fmt.Printf("trn/s %.*f loss-before %.8f loss-after %.8f mode independent", digits, rate, before, after)
	} else {
		fmt.Printf("inf/s %.*f loss %.8f", digits, rate, all)
	}
	fmt.Printf(" steps %d threads %d seconds %.3f\n", r.steps, r.threads, seconds)
}

// timeUs is the median time of a call in microseconds.
func timeUs(call func()) float64 {
	const rounds, calls = 201, 20
	var times [rounds]float64
	for i := range times {
		start := time.Now()
		for j := 0; j < calls; j++ {
			call()
		}
		times[i] = time.Since(start).Seconds() * 1e6 / calls
	}
	sort.Float64s(times[:])
	return times[rounds/2]
}

func printKernels(s shape) {
	scores, scale := make([]float32, s.tokens*s.tokens), make([]float32, s.tokens)
	x, y, gain := make([]float32, s.tokens*s.hidden), make([]float32, s.tokens*s.hidden), make([]float32, s.hidden)
	softmax := timeUs(func() { causalSoftmaxForward(scores, s.tokens) })
	rmsnorm := timeUs(func() { rmsnormForward(y, scale, x, gain) })
	small, product := make([]float32, 4), make([]float32, 4)
	call := timeUs(func() { gemmNN(dims{2, 2, 2}, 1, small, small, 0, product) })
	fmt.Printf("kernels sequence %d hidden %d softmax-us %.3f rmsnorm-us %.3f call-us %.3f\n", s.tokens, s.hidden,
		softmax, rmsnorm, call)
}

// printCall prints the times of a BLAS call from this language, a product of 1 x 1, for workloads/ceilings --port.
func printCall() {
	const samples, runs = 101, 1000
	a, b, c := []float32{0.5}, []float32{0.75}, []float32{0}
	times := ""
	for i := 0; i < samples; i++ {
		start := time.Now()
		for j := 0; j < runs; j++ {
			gemmNN(dims{1, 1, 1}, 1, a, b, 0, c)
		}
		times += fmt.Sprintf(" %.3f", time.Since(start).Seconds()*1e9/runs)
	}
	fmt.Printf("call product %g runs %d ns%s\n", c[0], runs, times)
}

// writeAllocations writes the number of allocations to the file ALLOCATIONS_FILE of the environment.
func writeAllocations() {
	path := os.Getenv("ALLOCATIONS_FILE")
	if path == "" {
		return
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	if err := os.WriteFile(path, []byte(fmt.Sprintln(memory.Mallocs)), 0o666); err != nil {
		fail(err.Error())
	}
}

func main() {
	o := parseOptions()
	length := o.sequence.value + 1
	if length < generatedTextBytes {
		length = generatedTextBytes
	}
	t := generateText(length, uint64(o.seed.value))
	r := &run{
		shape: shape{o.sequence.value, o.hidden.value, 2 * o.hidden.value, o.blocks.value, o.experts.value,
			o.topK.value, t.vocabulary},
		text: t, seed: uint64(o.seed.value), steps: o.steps.value, threads: o.threads.value, trains: o.task == "train",
	}
	useOneBLASThread()
	switch o.task {
	case "kernels":
		printKernels(r.shape)
		return
	case "call":
		printCall()
		return
	}
	runtime.GOMAXPROCS(r.threads)
	r.printShape(o.task)
	r.printResult(r.run())
	writeAllocations()
}
