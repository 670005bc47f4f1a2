#!/usr/bin/python3
# moe.py: the mixture-of-experts transformer in Python: trains or runs it with threads or processes.
# SPDX-License-Identifier: MIT
"""Trains or runs a mixture-of-experts transformer by numpy, and prints the result."""

import argparse
import multiprocessing
import os
import statistics
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # must be set before numpy loads its BLAS

import numpy as np

from kernels import causal_softmax_forward, rmsnorm_forward
from marks import region
from model import Model, Shape
from text import Text

GENERATED_TEXT_BYTES = 1 << 16

# Name, minimum, maximum and default of each number.
NUMBERS = [
    ("THREADS", 1, 1024, 1),
    ("hidden", 64, 2048, 64),
    ("blocks", 1, 64, 2),
    ("experts", 1, 64, 8),
    ("top-k", 1, 64, 2),
    ("sequence", 1, 4096, 64),
    ("steps", 1, 1000000000, None),
    ("seed", 0, 2**63 - 1, 1),
]

ready = None  # barrier of the workers before their first step
run = None  # the Run


def number(low, high):
    def parse(text):
        if not text.isdecimal() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from {low} to {high}")
        return int(text)

    return parse


def parse_options():
    parser = argparse.ArgumentParser(prog="moe.py", description=__doc__)
    parser.add_argument("task", choices=["train", "infer", "kernels", "call"])
    for name, low, high, standard in NUMBERS:
        if name == "THREADS":
            parser.add_argument(name, type=number(low, high), nargs="?", default=standard)
        else:
            parser.add_argument(f"--{name}", type=number(low, high), default=standard)
    parser.add_argument("--workers", choices=["threads", "processes"], default="threads")
    options = parser.parse_intermixed_args()
    if options.top_k > options.experts:
        parser.error(f"--top-k: {options.top_k} is more than there are experts ({options.experts})")
    if options.steps is None:
        options.steps = 3000 if options.task == "train" else 10000
    return options


class Run:
    """The data that all workers share. Worker s mod workers does step s."""

    def __init__(self, options):
        needed = options.sequence + 1
        self.options = options
        self.text = Text(max(needed, GENERATED_TEXT_BYTES), options.seed)
        self.trains = options.task == "train"
        self.shape = Shape(
            tokens=options.sequence,
            hidden=options.hidden,
            inner=2 * options.hidden,
            blocks=options.blocks,
            experts=options.experts,
            top_k=options.top_k,
            vocabulary=self.text.vocabulary,
        )
        self.model = None if self.trains else Model(self.shape, options.seed, False)

    def work(self, index):
        """Does the worker's steps. Returns their losses, and the times of start and end."""
        model = self.model or Model(self.shape, self.options.seed, True)
        losses = []
        ready.wait()
        start = time.monotonic()
        with region("steps"):
            for step in range(index, self.options.steps, self.options.THREADS):
                losses.append(self.step(model, step))
        return losses, start, time.monotonic()

    def step(self, model, step):
        tokens = self.text.sample(self.shape.tokens + 1, step)
        loss, saved = model.forward(tokens)
        if self.trains:
            model.backward(tokens, saved)
            model.update()
        return loss

    def print_shape(self):
        s = self.shape
        in_blocks, in_all = s.calls(self.trains)
        print(
            f"{self.options.task} hidden {s.hidden} inner {s.inner} blocks {s.blocks} "
            f"experts {s.experts} top-k {s.top_k} sequence {s.tokens} vocabulary {s.vocabulary} "
            f"parameters {s.parameters()} routing sequence sgemm-in-blocks {in_blocks} "
            f"sgemm-a-step {in_all}",
            flush=True,
        )

    def print_result(self, shares):
        steps, threads = self.options.steps, self.options.THREADS
        seconds = max(share[2] for share in shares) - min(share[1] for share in shares)
        rate = steps / seconds
        rate = f"{rate:.4f}" if rate < 100 else f"{rate:.1f}"
        shares = [losses for losses, _, _ in shares if losses]
        before = statistics.fmean(np.mean(x[: max(1, len(x) // 10)]) for x in shares)
        after = statistics.fmean(np.mean(x[-max(1, len(x) // 10) :]) for x in shares)
        if self.trains:
            result = (
                f"trn/s {rate} loss-before {before:.8f} loss-after {after:.8f} mode independent"
            )
        else:
            result = f"inf/s {rate} loss {sum(map(sum, shares)) / steps:.8f}"
        print(f"{result} steps {steps} threads {threads} seconds {seconds:.3f}")


def work(index):
    return run.work(index)


def run_workers(count, kind):
    """Runs `count` workers: threads, or processes that inherit the global variables."""
    global ready
    if kind == "threads":
        ready = threading.Barrier(count)
        executor = ThreadPoolExecutor(count)
    else:
        context = multiprocessing.get_context("fork")
        ready = context.Barrier(count)
        executor = ProcessPoolExecutor(count, context)
    with executor:
        return list(executor.map(work, range(count)))


def time_us(call):
    """Median time of a call in microseconds."""
    times = []
    for _ in range(201):
        start = time.perf_counter()
        for _ in range(20):
            call()
        times.append((time.perf_counter() - start) * 1e6 / 20)
    return statistics.median(times)


def print_kernels(tokens, hidden):
    scores = np.full((tokens, tokens), 0.5, dtype=np.float32)
    later = np.triu(np.ones((tokens, tokens), dtype=bool), 1)
    x, gain = np.full((tokens, hidden), 0.5, dtype=np.float32), np.ones(hidden, dtype=np.float32)
    softmax = time_us(lambda: causal_softmax_forward(scores, later))
    rmsnorm = time_us(lambda: rmsnorm_forward(x, gain))
    small, product = np.full((2, 2), 0.5, dtype=np.float32), np.empty((2, 2), dtype=np.float32)
    call = time_us(lambda: np.matmul(small, small, out=product))
    print(
        f"kernels sequence {tokens} hidden {hidden} "
        f"softmax-us {softmax:.3f} rmsnorm-us {rmsnorm:.3f} call-us {call:.3f}"
    )


def print_call():
    """Prints the times of a product of 1 x 1 with numpy, for workloads/ceilings --port."""
    samples, runs = 101, 1000
    a, b = np.full((1, 1), 0.5, dtype=np.float32), np.full((1, 1), 0.75, dtype=np.float32)
    c = np.empty((1, 1), dtype=np.float32)
    times = []
    for _ in range(samples):
        start = time.perf_counter()
        for _ in range(runs):
            np.matmul(a, b, out=c)
        times.append(f"{(time.perf_counter() - start) * 1e9 / runs:.3f}")
    print(f"call product {c[0, 0]} runs {runs} ns", *times)


def main():
    global run
    options = parse_options()
    if options.task == "kernels":
        print_kernels(options.sequence, options.hidden)
        return
    if options.task == "call":
        print_call()
        return
    run = Run(options)
    run.print_shape()
    run.print_result(run_workers(options.THREADS, options.workers))


if __name__ == "__main__":
    sys.exit(main())
