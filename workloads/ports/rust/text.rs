//! text.rs: repeatable random numbers, and the generated text that the model learns.
// SPDX-License-Identifier: MIT

/// SplitMix64: a counter through a bit mixer.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }

    /// A number in [0, 1) with 53 random bits.
    pub fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }
}

/// A sentence has one word of each column.
const WORDS: [[&str; 8]; 7] = [
    ["the ", "a ", "every ", "one ", "no ", "this ", "my ", "her "],
    ["small ", "red ", "old ", "quick ", "lazy ", "", "", ""],
    ["fox ", "dog ", "bird ", "queen ", "miller ", "child ", "horse ", "river "],
    ["sees ", "finds ", "wants ", "follows ", "jumps over ", "keeps ", "loves ", "hears "],
    ["the ", "a ", "his ", "that ", "some ", "every ", "my ", "one "],
    ["house", "garden", "stone", "box", "song", "tree", "moon", "view"],
    [" at night", " in the rain", " by day", " again", "", "", "", ""],
];

pub struct Text {
    tokens: Vec<u8>,
    pub vocabulary: usize,
    seed: u64,
}

impl Text {
    /// Generates `length` or a few more characters, numbered by their rank among those that occur.
    pub fn generate(length: usize, seed: u64) -> Text {
        let mut random = Random(seed);
        let mut tokens = Vec::new();
        while tokens.len() < length {
            for column in &WORDS {
                tokens.extend_from_slice(column[random.below(8)].as_bytes());
            }
            tokens.extend_from_slice(b".\n");
        }
        let mut known = tokens.clone();
        known.sort_unstable();
        known.dedup();
        for token in &mut tokens {
            *token = known.binary_search(token).expect("it is one of them") as u8;
        }
        Text { tokens, vocabulary: known.len(), seed }
    }

    /// The sequence of `needed` characters for this step.
    pub fn sample(&self, needed: usize, step: usize) -> &[u8] {
        let mixed = Random(self.seed).next().wrapping_add(step as u64);
        let start = Random(mixed).below(self.tokens.len() - needed + 1);
        &self.tokens[start..start + needed]
    }
}
