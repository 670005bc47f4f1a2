# model.py: the mixture-of-experts transformer: its tensors, forward, backward and update.
# SPDX-License-Identifier: MIT
"""Matrices are [in, out], so that y = x W. The matrices of all experts are one tensor."""

import math
from dataclasses import dataclass

import numpy as np

from kernels import (
    adamw_update,
    causal_softmax_backward,
    causal_softmax_forward,
    cross_entropy_backward,
    cross_entropy_forward,
    rmsnorm_backward,
    rmsnorm_forward,
    swiglu_backward,
    swiglu_forward,
)
from text import Random

ONES, FAN_IN, SMALL = range(3)


@dataclass
class Shape:
    """The sizes of a model."""

    tokens: int
    hidden: int
    inner: int
    blocks: int
    experts: int
    top_k: int
    vocabulary: int

    def table(self):
        """Name, dimensions and start of each tensor, in the order of their initialisation."""
        h, f, e = self.hidden, self.inner, self.experts
        yield "embedding", (self.vocabulary, h), SMALL
        yield "position", (self.tokens, h), SMALL
        yield "final_gain", (h,), ONES
        yield "head", (h, self.vocabulary), FAN_IN
        for b in range(self.blocks):
            yield f"{b}.attention_gain", (h,), ONES
            for name in "query", "key", "value", "output":
                yield f"{b}.{name}", (h, h), FAN_IN
            yield f"{b}.experts_gain", (h,), ONES
            yield f"{b}.router", (e, h), SMALL
            yield f"{b}.gate", (e, h, f), FAN_IN
            yield f"{b}.up", (e, h, f), FAN_IN
            yield f"{b}.down", (e, f, h), FAN_IN

    def parameters(self):
        return sum(math.prod(dims) for _, dims, _ in self.table())

    def calls(self, trains):
        """The matrix products of a step in the blocks, and in all, including the output head."""
        passes = 3 if trains else 1
        in_blocks = self.blocks * (6 + 3 * self.top_k) * passes
        return in_blocks, in_blocks + passes


class Tensors(dict):
    """Tensors by name, all in one arena: first those that decay, then the gains."""

    def __init__(self, shape):
        super().__init__()
        self.arena = np.zeros(shape.parameters(), dtype=np.float32)
        at = 0
        for gains in False, True:
            for name, dims, start in shape.table():
                if (start == ONES) == gains:
                    self[name] = self.arena[at : at + math.prod(dims)].reshape(dims)
                    at += math.prod(dims)
            if not gains:
                self.decaying = at

    def start(self, shape, seed):
        random = Random(seed)
        for name, dims, start in shape.table():
            if start == ONES:
                self[name][:] = 1
                continue
            deviation = 0.1 if start == SMALL else 1 / math.sqrt(dims[-2])
            # a uniform number in [-1, 1] has a standard deviation of 1 / sqrt(3)
            numbers = 2 * random.uniform(math.prod(dims)) - 1
            self[name][:] = (math.sqrt(3) * deviation * numbers).reshape(dims)
        return self


def route(normed, router, top_k):
    """Chooses the experts for all tokens by their mean. Returns the mean, the experts in order of
    their numbers, and their weights. Without BLAS, because the products are small."""
    mean = np.mean(normed, axis=0)
    scores = np.sum(router * mean, axis=1)
    chosen = np.sort(np.argsort(-scores, kind="stable")[:top_k])
    weights = np.exp(scores[chosen] - np.max(scores))
    return mean, chosen, weights / np.sum(weights)


class Model:
    """Parameters and the data to train them. Threads may share one for inference."""

    def __init__(self, shape, seed, trains):
        self.shape = shape
        self.p = Tensors(shape).start(shape, seed)
        self.steps = 0
        self.temper = np.float32(1 / math.sqrt(shape.hidden))
        self.later = np.triu(np.ones((shape.tokens, shape.tokens), dtype=bool), 1)
        if trains:
            self.g, self.mean, self.square = (Tensors(shape) for _ in range(3))

    def attention_forward(self, x, b):
        """Returns the residual stream after attention, and the data that backward needs."""
        p = self.p
        normed, scale = rmsnorm_forward(x, p[f"{b}.attention_gain"])
        q, k, v = (normed @ p[f"{b}.{name}"] for name in ("query", "key", "value"))
        attention = causal_softmax_forward(q @ k.T * self.temper, self.later)
        mixed = attention @ v
        return x + mixed @ p[f"{b}.output"], (x, normed, scale, q, k, v, attention, mixed)

    def experts_forward(self, x, b):
        p = self.p
        normed, scale = rmsnorm_forward(x, p[f"{b}.experts_gain"])
        mean, chosen, weights = route(normed, p[f"{b}.router"], self.shape.top_k)
        visits, out = [], x.copy()
        for expert, weight in zip(chosen, weights):
            gate = normed @ p[f"{b}.gate"][expert]
            up = normed @ p[f"{b}.up"][expert]
            product, sigmoid = swiglu_forward(gate, up, weight)
            out += product @ p[f"{b}.down"][expert]
            visits.append((expert, weight, gate, up, sigmoid, product))
        return out, (x, normed, scale, mean, visits)

    def forward(self, tokens):
        """Predicts tokens[1:] from the tokens before. Returns the mean loss in nats, and the data
        that backward needs."""
        p = self.p
        x = p["embedding"][tokens[:-1]] + p["position"]
        saved = []
        for b in range(self.shape.blocks):
            x, attention = self.attention_forward(x, b)
            x, experts = self.experts_forward(x, b)
            saved.append((attention, experts))
        normed, scale = rmsnorm_forward(x, p["final_gain"])
        logits = normed @ p["head"]
        loss = cross_entropy_forward(logits, tokens[1:])
        return loss, (saved, x, normed, scale, logits)

    def attention_backward(self, d_x, saved, b):
        p, g = self.p, self.g
        x, normed, scale, q, k, v, attention, mixed = saved
        np.matmul(mixed.T, d_x, out=g[f"{b}.output"])
        d_mixed = d_x @ p[f"{b}.output"].T
        d_attention = d_mixed @ v.T
        d_value = attention.T @ d_mixed
        d_scores = causal_softmax_backward(d_attention, attention) * self.temper
        d_query, d_key = d_scores @ k, d_scores.T @ q
        d_normed = np.zeros_like(x)
        for name, d in ("query", d_query), ("key", d_key), ("value", d_value):
            np.matmul(normed.T, d, out=g[f"{b}.{name}"])
            d_normed += d @ p[f"{b}.{name}"].T
        d_input, g[f"{b}.attention_gain"][:] = rmsnorm_backward(
            d_normed, x, scale, p[f"{b}.attention_gain"]
        )
        return d_x + d_input

    def experts_backward(self, d_x, saved, b):
        p, g = self.p, self.g
        x, normed, scale, mean, visits = saved
        d_normed, d_weights = np.zeros_like(x), []
        for name in "router", "gate", "up", "down":
            g[f"{b}.{name}"][:] = 0
        for expert, weight, gate, up, sigmoid, product in visits:
            d_product = d_x @ p[f"{b}.down"][expert].T
            np.matmul(product.T, d_x, out=g[f"{b}.down"][expert])
            d_gate, d_up, d_weight = swiglu_backward(d_product, gate, up, sigmoid, weight)
            np.matmul(normed.T, d_gate, out=g[f"{b}.gate"][expert])
            np.matmul(normed.T, d_up, out=g[f"{b}.up"][expert])
            d_normed += d_gate @ p[f"{b}.gate"][expert].T
            d_normed += d_up @ p[f"{b}.up"][expert].T
            d_weights.append(weight * d_weight)
        self.route_backward(d_normed, mean, visits, d_weights, b)
        d_input, g[f"{b}.experts_gain"][:] = rmsnorm_backward(
            d_normed, x, scale, p[f"{b}.experts_gain"]
        )
        return d_x + d_input

    def route_backward(self, d_normed, mean, visits, d_weights, b):
        """Adds to d_normed and sets the router's gradient; the choice has no gradient."""
        total = sum(d_weights)
        d_mean = np.zeros_like(mean)
        for (expert, weight, *_), d_weight in zip(visits, d_weights):
            d_score = d_weight - weight * total
            self.g[f"{b}.router"][expert] = d_score * mean
            d_mean += d_score * self.p[f"{b}.router"][expert]
        d_normed += d_mean / np.float32(len(d_normed))

    def backward(self, tokens, saved):
        """Computes the gradient of the loss from the data that forward returned."""
        p, g = self.p, self.g
        blocks, x, normed, scale, logits = saved
        d_logits = cross_entropy_backward(logits, tokens[1:])
        np.matmul(normed.T, d_logits, out=g["head"])
        d_x, g["final_gain"][:] = rmsnorm_backward(
            d_logits @ p["head"].T, x, scale, p["final_gain"]
        )
        for b in reversed(range(self.shape.blocks)):
            attention, experts = blocks[b]
            d_x = self.experts_backward(d_x, experts, b)
            d_x = self.attention_backward(d_x, attention, b)
        g["embedding"][:] = 0
        np.add.at(g["embedding"], tokens[:-1], d_x)
        g["position"][:] = d_x

    def update(self):
        """Makes one AdamW update by the gradient; gains do not decay."""
        self.steps += 1
        rate = 0.128 / self.shape.hidden
        arenas = [tensors.arena for tensors in (self.p, self.mean, self.square, self.g)]
        border = self.p.decaying
        for part, decay in (slice(border), 0.01), (slice(border, None), 0):
            adamw_update(*(arena[part] for arena in arenas), rate, decay, self.steps)
