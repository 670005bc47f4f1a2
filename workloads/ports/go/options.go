// options.go: the command-line options.
// SPDX-License-Identifier: MIT

package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
)

// number is a whole number within limits, as a value for package flag.
type number struct {
	name             string
	low, high, value int
	help             string
}

func (n *number) String() string {
	return strconv.Itoa(n.value)
}

func (n *number) Set(text string) error {
	value, err := strconv.Atoi(text)
	if err != nil || value < n.low || value > n.high {
		return fmt.Errorf("'%s' is not a whole number from %d to %d", text, n.low, n.high)
	}
	n.value = value
	return nil
}

type options struct {
	task                                                          string
	threads, hidden, blocks, experts, topK, sequence, steps, seed number
}

func newOptions(task string) *options {
	o := &options{
		task:     task,
		threads:  number{"THREADS", 1, 1024, 1, ""},
		hidden:   number{"hidden", 64, 2048, 64, "width of the model"},
		blocks:   number{"blocks", 1, 64, 2, "blocks of attention and experts"},
		experts:  number{"experts", 1, 64, 8, "experts in a block"},
		topK:     number{"top-k", 1, 64, 2, "experts that a token goes to"},
		sequence: number{"sequence", 1, 4096, 64, "characters in a sequence"},
		steps:    number{"steps", 1, 1000000000, 10000, "sequences in all"},
		seed:     number{"seed", 0, math.MaxInt64, 1, "of the model and the text"},
	}
	if task == "train" {
		o.steps.value = 3000
	}
	return o
}

// parse reads flags before and after the operand.
func (o *options) parse(arguments []string) error {
	flags := flag.NewFlagSet("moe-go "+o.task, flag.ExitOnError)
	for _, n := range []*number{&o.hidden, &o.blocks, &o.experts, &o.topK, &o.sequence, &o.steps, &o.seed} {
		flags.Var(n, n.name, n.help)
	}
	var operands []string
	for len(arguments) > 0 {
		flags.Parse(arguments)
		arguments = flags.Args()
		if len(arguments) > 0 {
			operands = append(operands, arguments[0])
			arguments = arguments[1:]
		}
	}
	if len(operands) > 1 {
		return fmt.Errorf("'%s' is one argument too many: only the number of threads is expected", operands[1])
	}
	if len(operands) == 1 {
		if err := o.threads.Set(operands[0]); err != nil {
			return fmt.Errorf("THREADS: %w", err)
		}
	}
	if o.topK.value > o.experts.value {
		return fmt.Errorf("--top-k: %d is more than there are experts (%d)", o.topK.value, o.experts.value)
	}
	return nil
}

func parseOptions() *options {
	tasks := map[string]bool{"train": true, "infer": true, "kernels": true, "call": true}
	if len(os.Args) < 2 || !tasks[os.Args[1]] {
		fail("usage: train|infer|kernels|call [options] [THREADS]")
	}
	o := newOptions(os.Args[1])
	if err := o.parse(os.Args[2:]); err != nil {
		fail(err.Error())
	}
	return o
}

func fail(what string) {
	fmt.Fprintln(os.Stderr, "moe-go: "+what)
	os.Exit(2)
}
