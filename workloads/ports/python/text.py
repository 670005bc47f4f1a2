# text.py: repeatable random numbers, and the generated text that the model learns.
# SPDX-License-Identifier: MIT
"""Random numbers by SplitMix64 (a counter through a bit mixer), and a text made of them."""

import numpy as np

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15

# A sentence has one word of each column.
WORDS = [
    ["the ", "a ", "every ", "one ", "no ", "this ", "my ", "her "],
    ["small ", "red ", "old ", "quick ", "lazy ", "", "", ""],
    ["fox ", "dog ", "bird ", "queen ", "miller ", "child ", "horse ", "river "],
    ["sees ", "finds ", "wants ", "follows ", "jumps over ", "keeps ", "loves ", "hears "],
    ["the ", "a ", "his ", "that ", "some ", "every ", "my ", "one "],
    ["house", "garden", "stone", "box", "song", "tree", "moon", "view"],
    [" at night", " in the rain", " by day", " again", "", "", "", ""],
]


def mix(z):
    """The mixer, for one number."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def mix_array(z):
    """The mixer, for an array of uint64, whose products wrap around."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


class Random:
    """A stream of random numbers."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = self.state + STEP & MASK
        return mix(self.state)

    def uniform(self, count):
        """The next `count` numbers in [0, 1), with 53 random bits each."""
        counter = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(STEP)
        bits = mix_array(np.uint64(self.state) + counter)
        self.state = self.state + count * STEP & MASK
        return (bits >> np.uint64(11)) / (1 << 53)


class Text:
    """`length` or a few more characters, numbered by their rank among those that occur."""

    def __init__(self, length, seed):
        random = Random(seed)
        sentences, total = [], 0
        while total < length:
            sentence = "".join(column[random.next() % 8] for column in WORDS) + ".\n"
            sentences.append(sentence)
            total += len(sentence)
        characters = np.frombuffer("".join(sentences).encode(), dtype=np.uint8)
        known, self.tokens = np.unique(characters, return_inverse=True)
        self.vocabulary = len(known)
        self.seed = seed

    def sample(self, needed, step):
        """The sequence of `needed` characters for this step."""
        mixed = Random(self.seed).next() + step & MASK
        start = Random(mixed).next() % (len(self.tokens) - needed + 1)
        return self.tokens[start : start + needed]
