# kernels.py: the parts of a step besides matrix products: pairs of forward and backward functions.
# SPDX-License-Identifier: MIT
"""Arrays are float32; x and y are [rows, cols]. d_x is the gradient of the loss by x."""

import numpy as np

RMSNORM_EPSILON = np.float32(1e-5)
BETA1, BETA2, EPSILON = np.float32(0.9), np.float32(0.99), np.float32(1e-8)


def rmsnorm_forward(x, gain):
    """Returns the normalised rows and their factors."""
    mean = np.mean(x * x, axis=1, keepdims=True)
    scale = 1 / np.sqrt(mean + RMSNORM_EPSILON)
    return x * scale * gain, scale


def rmsnorm_backward(d_y, x, scale, gain):
    """Returns d_x and d_gain."""
    normed = x * scale
    weighed = d_y * gain
    mean = np.mean(weighed * normed, axis=1, keepdims=True)
    return scale * (weighed - normed * mean), np.sum(d_y * normed, axis=0)


def softmax(x):
    """Softmax of each row in place."""
    x -= np.max(x, axis=1, keepdims=True)
    np.exp(x, out=x)
    x /= np.sum(x, axis=1, keepdims=True)
    return x


def causal_softmax_forward(x, later):
    """Softmax of each row in place, without the columns that `later` marks: they become 0."""
    x[later] = -np.inf
    return softmax(x)


def causal_softmax_backward(d_y, y):
    return y * (d_y - np.sum(d_y * y, axis=1, keepdims=True))


def swiglu_forward(gate, up, weight):
    """Returns weight * silu(gate) * up, and the sigmoid of gate."""
    sigmoid = 1 / (1 + np.exp(-gate))
    return weight * (gate * sigmoid * up), sigmoid


def swiglu_backward(d_y, gate, up, sigmoid, weight):
    """Returns d_gate, d_up and the gradient by the weight."""
    silu = gate * sigmoid
    d = d_y * weight
    d_gate = d * up * (sigmoid + silu * (1 - sigmoid))
    return d_gate, d * silu, np.sum(d_y * silu * up)


def cross_entropy_forward(logits, targets):
    """Turns logits into probabilities; returns the mean of -ln(probability of the target)."""
    rows = np.arange(len(targets))
    probabilities = softmax(logits)
    return -float(np.mean(np.log(probabilities[rows, targets].astype(np.float64))))


def cross_entropy_backward(probabilities, targets):
    """Turns the probabilities into the gradient by the logits."""
    probabilities[np.arange(len(targets)), targets] -= 1
    probabilities *= np.float32(1 / len(targets))
    return probabilities


def flush(x, least):
    """Sets numbers to zero that are negligibly near to zero."""
    x[np.abs(x) < least] = 0


def adamw_update(x, m, v, g, rate, decay, step):
    """Loshchilov and Hutter, "Decoupled weight decay regularization", ICLR 2019, algorithm 2."""
    flush(g, np.float32(1e-15))
    m *= BETA1
    m += (1 - BETA1) * g
    flush(m, np.float32(1e-20))
    v *= BETA2
    v += (1 - BETA2) * g * g
    flush(v, np.float32(1e-30))
    rate = np.float32(rate)
    x *= 1 - rate * np.float32(decay)
    root = np.sqrt(v * (1 / (1 - BETA2**step)))
    x -= rate / (1 - BETA1**step) * m / (root + EPSILON)
