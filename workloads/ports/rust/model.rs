//! model.rs: the mixture-of-experts transformer: its tensors, forward, backward and update.
// SPDX-License-Identifier: MIT
use crate::blas::{gemm_nn, gemm_nt, gemm_tn};
use crate::kernels::*;
use crate::text::Random;

#[derive(Clone, Copy)]
pub struct Shape {
    pub tokens: usize,
    pub hidden: usize,
    pub inner: usize,
    pub blocks: usize,
    pub experts: usize,
    pub top_k: usize,
    pub vocabulary: usize,
}

#[derive(Clone, Copy)]
enum Start {
    Ones,
    FanIn,
    Small,
}
use Start::*;

/// Tensors in the order of their initialisation: those of the model, then those of each block. A matrix
/// is [in, out], so that y = x W. The matrices of all experts are one tensor.
pub type Tensors = Vec<Vec<f32>>;
const EMBEDDING: usize = 0;
const POSITION: usize = 1;
const FINAL_GAIN: usize = 2;
const HEAD: usize = 3;
const MODEL_TENSORS: usize = 4;
const ATTENTION_GAIN: usize = 0;
const QUERY: usize = 1;
const KEY: usize = 2;
const VALUE: usize = 3;
const OUTPUT: usize = 4;
const EXPERTS_GAIN: usize = 5;
const ROUTER: usize = 6;
const GATE: usize = 7;
const UP: usize = 8;
const DOWN: usize = 9;
const BLOCK_TENSORS: usize = 10;

impl Shape {
    /// Matrices, rows, columns and start of each tensor.
    fn table(&self) -> Vec<(usize, usize, usize, Start)> {
        let (h, f, e) = (self.hidden, self.inner, self.experts);
        let (gain, square, expert) = ((1, 1, h, Ones), (1, h, h, FanIn), (e, h, f, FanIn));
        let down = (e, f, h, FanIn);
        let block = [gain, square, square, square, square, gain, (1, e, h, Small), expert, expert, down];
        let (embedding, position) = ((1, self.vocabulary, h, Small), (1, self.tokens, h, Small));
        let mut table = vec![embedding, position, gain, (1, h, self.vocabulary, FanIn)];
        (0..self.blocks).for_each(|_| table.extend_from_slice(&block));
        table
    }

    pub fn zeros(&self) -> Tensors {
        self.table().iter().map(|(matrices, rows, cols, _)| vec![0.0; matrices * rows * cols]).collect()
    }

    pub fn start(&self, seed: u64) -> Tensors {
        let mut random = Random(seed);
        let mut tensors = self.zeros();
        for (tensor, (_, rows, _, start)) in tensors.iter_mut().zip(self.table()) {
            let deviation = match start {
                Ones => {
                    tensor.fill(1.0);
                    continue;
                }
                FanIn => 1.0 / (rows as f64).sqrt(),
                Small => 0.1,
            };
            // a uniform number in [-1, 1] has a standard deviation of 1 / sqrt(3)
            let reach = 3f64.sqrt() * deviation;
            tensor.iter_mut().for_each(|x| *x = (reach * (2.0 * random.uniform() - 1.0)) as f32);
        }
        tensors
    }

    pub fn parameters(&self) -> usize {
        self.table().iter().map(|(matrices, rows, cols, _)| matrices * rows * cols).sum()
    }

    /// The cblas_sgemm calls of one step in the blocks, and in all, including the output head.
    pub fn calls(&self, trains: bool) -> (usize, usize) {
        let passes = if trains { 3 } else { 1 };
        let in_blocks = self.blocks * (6 + 3 * self.top_k) * passes;
        (in_blocks, in_blocks + passes)
    }
}

/// An expert that the sequence goes to, and the weight of its output.
#[derive(Clone, Copy, Default)]
struct Visit {
    expert: usize,
    weight: f32,
}

/// The activations of a block that backward needs.
#[derive(Clone)]
struct Block {
    input: Vec<f32>,
    attention_scale: Vec<f32>,
    attention_normed: Vec<f32>,
    query: Vec<f32>,
    key: Vec<f32>,
    value: Vec<f32>,
    attention: Vec<f32>,
    mixed: Vec<f32>,
    middle: Vec<f32>,
    experts_scale: Vec<f32>,
    experts_normed: Vec<f32>,
    mean: Vec<f32>,
    visits: Vec<Visit>, // in order of expert
    gate: Vec<f32>,     // [visits, tokens, inner]
    up: Vec<f32>,
    product: Vec<f32>,
}

impl Block {
    fn new(s: &Shape) -> Block {
        let (scale, stream) = (vec![0.0; s.tokens], vec![0.0; s.tokens * s.hidden]);
        let inner = vec![0.0; s.top_k * s.tokens * s.inner];
        Block {
            input: stream.clone(),
            attention_scale: scale.clone(),
            attention_normed: stream.clone(),
            query: stream.clone(),
            key: stream.clone(),
            value: stream.clone(),
            attention: vec![0.0; s.tokens * s.tokens],
            mixed: stream.clone(),
            middle: stream.clone(),
            experts_scale: scale,
            experts_normed: stream,
            mean: vec![0.0; s.hidden],
            visits: vec![Visit::default(); s.top_k],
            gate: inner.clone(),
            up: inner.clone(),
            product: inner,
        }
    }
}

/// The working memory of one thread: all data that a step writes except the parameters.
pub struct Worker {
    shape: Shape,
    blocks: Vec<Block>,
    stream: Vec<f32>, // [tokens, hidden] residual stream
    final_scale: Vec<f32>,
    final_normed: Vec<f32>,
    logits: Vec<f32>,
    scores: Vec<f32>,
    d_stream: Vec<f32>,
    d_normed: Vec<f32>,
    d_query: Vec<f32>,
    d_key: Vec<f32>,
    d_value: Vec<f32>,
    d_mixed: Vec<f32>,
    d_attention: Vec<f32>,
    d_product: Vec<f32>, // [tokens, inner]
    d_gate: Vec<f32>,
    d_up: Vec<f32>,
    d_mean: Vec<f32>,
}

impl Worker {
    pub fn new(shape: Shape) -> Worker {
        let (stream, inner) = (vec![0.0; shape.tokens * shape.hidden], vec![0.0; shape.tokens * shape.inner]);
        Worker {
            shape,
            blocks: vec![Block::new(&shape); shape.blocks],
            stream: stream.clone(),
            final_scale: vec![0.0; shape.tokens],
            final_normed: stream.clone(),
            logits: vec![0.0; shape.tokens * shape.vocabulary],
            scores: vec![0.0; shape.experts],
            d_stream: stream.clone(),
            d_normed: stream.clone(),
            d_query: stream.clone(),
            d_key: stream.clone(),
            d_value: stream.clone(),
            d_mixed: stream,
            d_attention: vec![0.0; shape.tokens * shape.tokens],
            d_product: inner.clone(),
            d_gate: inner.clone(),
            d_up: inner,
            d_mean: vec![0.0; shape.hidden],
        }
    }

    /// Predicts tokens[1..] from the tokens before; returns the mean loss in nats.
    pub fn forward(&mut self, p: &[Vec<f32>], tokens: &[u8]) -> f64 {
        let Shape { tokens: t, hidden: h, vocabulary: v, .. } = self.shape;
        self.stream.copy_from_slice(&p[POSITION]);
        for (row, token) in self.stream.chunks_exact_mut(h).zip(tokens) {
            add(row, &p[EMBEDDING][*token as usize * h..][..h], 1.0);
        }
        for b in 0..self.shape.blocks {
            let parameters = &p[MODEL_TENSORS + b * BLOCK_TENSORS..];
            self.attention_forward(parameters, b);
            self.experts_forward(parameters, b);
        }
        rmsnorm_forward(&mut self.final_normed, &mut self.final_scale, &self.stream, &p[FINAL_GAIN]);
        gemm_nn((t, v, h), 1.0, &self.final_normed, &p[HEAD], 0.0, &mut self.logits);
        cross_entropy_forward(&mut self.logits, &tokens[1..])
    }

    fn temper(&self) -> f32 {
        1.0 / (self.shape.hidden as f32).sqrt()
    }

    fn attention_forward(&mut self, p: &[Vec<f32>], b: usize) {
        let Shape { tokens: t, hidden: h, .. } = self.shape;
        let temper = self.temper();
        let a = &mut self.blocks[b];
        a.input.copy_from_slice(&self.stream);
        rmsnorm_forward(&mut a.attention_normed, &mut a.attention_scale, &a.input, &p[ATTENTION_GAIN]);
        gemm_nn((t, h, h), 1.0, &a.attention_normed, &p[QUERY], 0.0, &mut a.query);
        gemm_nn((t, h, h), 1.0, &a.attention_normed, &p[KEY], 0.0, &mut a.key);
        gemm_nn((t, h, h), 1.0, &a.attention_normed, &p[VALUE], 0.0, &mut a.value);
        gemm_nt((t, t, h), temper, &a.query, &a.key, 0.0, &mut a.attention);
        causal_softmax_forward(&mut a.attention, t);
        gemm_nn((t, h, t), 1.0, &a.attention, &a.value, 0.0, &mut a.mixed);
        gemm_nn((t, h, h), 1.0, &a.mixed, &p[OUTPUT], 1.0, &mut self.stream);
        a.middle.copy_from_slice(&self.stream);
    }

    /// Chooses the experts for all tokens by their mean.
    fn route(&mut self, p: &[Vec<f32>], b: usize) {
        let Shape { tokens: t, hidden: h, .. } = self.shape;
        let a = &mut self.blocks[b];
        a.mean.fill(0.0);
        for row in a.experts_normed.chunks_exact(h) {
            add(&mut a.mean, row, 1.0 / t as f32);
        }
        for (score, row) in self.scores.iter_mut().zip(p[ROUTER].chunks_exact(h)) {
            *score = dot(&a.mean, row);
        }
        for j in 0..a.visits.len() {
            let free = (0..self.scores.len()).filter(|e| a.visits[..j].iter().all(|visit| visit.expert != *e));
            let best = free.reduce(|x, y| if self.scores[y] > self.scores[x] { y } else { x });
            a.visits[j].expert = best.expect("there are as many experts as are chosen");
        }
        let highest = self.scores[a.visits[0].expert];
        a.visits.iter_mut().for_each(|v| v.weight = (self.scores[v.expert] - highest).exp());
        let total: f32 = a.visits.iter().map(|v| v.weight).sum();
        a.visits.iter_mut().for_each(|v| v.weight /= total);
        a.visits.sort_unstable_by_key(|v| v.expert);
    }

    fn experts_forward(&mut self, p: &[Vec<f32>], b: usize) {
        let Shape { tokens: t, hidden: h, inner: f, .. } = self.shape;
        let a = &mut self.blocks[b];
        rmsnorm_forward(&mut a.experts_normed, &mut a.experts_scale, &a.middle, &p[EXPERTS_GAIN]);
        self.route(p, b);
        let a = &mut self.blocks[b];
        for (i, visit) in a.visits.iter().enumerate() {
            let (slots, matrix) = (i * t * f..(i + 1) * t * f, visit.expert * h * f..(visit.expert + 1) * h * f);
            let (gate, up) = (&mut a.gate[slots.clone()], &mut a.up[slots.clone()]);
            gemm_nn((t, f, h), 1.0, &a.experts_normed, &p[GATE][matrix.clone()], 0.0, gate);
            gemm_nn((t, f, h), 1.0, &a.experts_normed, &p[UP][matrix.clone()], 0.0, up);
            swiglu_forward(&mut a.product[slots.clone()], gate, up, visit.weight);
            gemm_nn((t, h, f), 1.0, &a.product[slots], &p[DOWN][matrix], 1.0, &mut self.stream);
        }
    }

    /// Overwrites g with the gradient of the loss; after forward on the same tokens.
    pub fn backward(&mut self, p: &[Vec<f32>], g: &mut [Vec<f32>], tokens: &[u8]) {
        let Shape { tokens: t, hidden: h, vocabulary: v, .. } = self.shape;
        g.iter_mut().for_each(|tensor| tensor.fill(0.0));
        self.d_stream.fill(0.0);
        cross_entropy_backward(&mut self.logits, &tokens[1..]);
        gemm_tn((h, v, t), 1.0, &self.final_normed, &self.logits, 0.0, &mut g[HEAD]);
        gemm_nt((t, h, v), 1.0, &self.logits, &p[HEAD], 0.0, &mut self.d_normed);
        rmsnorm_backward(
            &mut self.d_stream,
            &mut g[FINAL_GAIN],
            &mut self.d_normed,
            &self.stream,
            &self.final_scale,
            &p[FINAL_GAIN],
        );
        for b in (0..self.shape.blocks).rev() {
            let first = MODEL_TENSORS + b * BLOCK_TENSORS;
            self.experts_backward(&p[first..], &mut g[first..], b);
            self.attention_backward(&p[first..], &mut g[first..], b);
        }
        for (row, token) in self.d_stream.chunks_exact(h).zip(tokens) {
            add(&mut g[EMBEDDING][*token as usize * h..][..h], row, 1.0);
        }
        g[POSITION].copy_from_slice(&self.d_stream);
    }

    fn experts_backward(&mut self, p: &[Vec<f32>], g: &mut [Vec<f32>], b: usize) {
        let Shape { tokens: t, hidden: h, inner: f, .. } = self.shape;
        let a = &self.blocks[b];
        let mut d_weight = vec![0.0; a.visits.len()];
        for (i, visit) in a.visits.iter().enumerate() {
            let (slots, matrix) = (i * t * f..(i + 1) * t * f, visit.expert * h * f..(visit.expert + 1) * h * f);
            let beta = if i == 0 { 0.0 } else { 1.0 };
            gemm_nt((t, f, h), 1.0, &self.d_stream, &p[DOWN][matrix.clone()], 0.0, &mut self.d_product);
            gemm_tn((f, h, t), 1.0, &a.product[slots.clone()], &self.d_stream, 0.0, &mut g[DOWN][matrix.clone()]);
            d_weight[i] = swiglu_backward(
                &mut self.d_gate,
                &mut self.d_up,
                &self.d_product,
                &a.gate[slots.clone()],
                &a.up[slots],
                visit.weight,
            );
            gemm_tn((h, f, t), 1.0, &a.experts_normed, &self.d_gate, 0.0, &mut g[GATE][matrix.clone()]);
            gemm_tn((h, f, t), 1.0, &a.experts_normed, &self.d_up, 0.0, &mut g[UP][matrix.clone()]);
            gemm_nt((t, h, f), 1.0, &self.d_gate, &p[GATE][matrix.clone()], beta, &mut self.d_normed);
            gemm_nt((t, h, f), 1.0, &self.d_up, &p[UP][matrix], 1.0, &mut self.d_normed);
        }
        self.route_backward(p, g, b, &d_weight);
        let a = &self.blocks[b];
        rmsnorm_backward(
            &mut self.d_stream,
            &mut g[EXPERTS_GAIN],
            &mut self.d_normed,
            &a.middle,
            &a.experts_scale,
            &p[EXPERTS_GAIN],
        );
    }

    /// Adds to d_normed and to the router's gradient; the choice has no gradient.
    fn route_backward(&mut self, p: &[Vec<f32>], g: &mut [Vec<f32>], b: usize, d_weight: &[f32]) {
        let Shape { tokens: t, hidden: h, .. } = self.shape;
        let a = &self.blocks[b];
        let mean: f32 = a.visits.iter().zip(d_weight).map(|(visit, d)| visit.weight * d).sum();
        self.d_mean.fill(0.0);
        for (visit, d) in a.visits.iter().zip(d_weight) {
            let d_score = visit.weight * (d - mean);
            let row = visit.expert * h..(visit.expert + 1) * h;
            add(&mut g[ROUTER][row.clone()], &a.mean, d_score);
            add(&mut self.d_mean, &p[ROUTER][row], d_score);
        }
        for row in self.d_normed.chunks_exact_mut(h) {
            add(row, &self.d_mean, 1.0 / t as f32);
        }
    }

    fn attention_backward(&mut self, p: &[Vec<f32>], g: &mut [Vec<f32>], b: usize) {
        let Shape { tokens: t, hidden: h, .. } = self.shape;
        let temper = self.temper();
        let a = &self.blocks[b];
        gemm_tn((h, h, t), 1.0, &a.mixed, &self.d_stream, 0.0, &mut g[OUTPUT]);
        gemm_nt((t, h, h), 1.0, &self.d_stream, &p[OUTPUT], 0.0, &mut self.d_mixed);
        gemm_nt((t, t, h), 1.0, &self.d_mixed, &a.value, 0.0, &mut self.d_attention);
        gemm_tn((t, h, t), 1.0, &a.attention, &self.d_mixed, 0.0, &mut self.d_value);
        causal_softmax_backward(&mut self.d_attention, &a.attention, t);
        gemm_nn((t, h, t), temper, &self.d_attention, &a.key, 0.0, &mut self.d_query);
        gemm_tn((t, h, t), temper, &self.d_attention, &a.query, 0.0, &mut self.d_key);
        let projections = [(QUERY, &self.d_query, 0.0), (KEY, &self.d_key, 1.0), (VALUE, &self.d_value, 1.0)];
        for (weight, d, beta) in projections {
            gemm_tn((h, h, t), 1.0, &a.attention_normed, d, 0.0, &mut g[weight]);
            gemm_nt((t, h, h), 1.0, d, &p[weight], beta, &mut self.d_normed);
        }
        rmsnorm_backward(
            &mut self.d_stream,
            &mut g[ATTENTION_GAIN],
            &mut self.d_normed,
            &a.input,
            &a.attention_scale,
            &p[ATTENTION_GAIN],
        );
    }
}

/// The model that one thread trains.
pub struct Model {
    shape: Shape,
    pub parameters: Tensors,
    pub gradient: Tensors,
    mean: Tensors,
    square: Tensors,
    steps: usize,
}

impl Model {
    pub fn new(shape: Shape, seed: u64) -> Model {
        let (gradient, mean, square) = (shape.zeros(), shape.zeros(), shape.zeros());
        Model { shape, parameters: shape.start(seed), gradient, mean, square, steps: 0 }
    }

    /// Makes one AdamW update by the gradient.
    pub fn update(&mut self) {
        self.steps += 1;
        for (i, (_, _, _, start)) in self.shape.table().into_iter().enumerate() {
            let decay = if matches!(start, Ones) { 0.0 } else { 0.01 }; // gains do not decay
            let (x, m, v) = (&mut self.parameters[i], &mut self.mean[i], &mut self.square[i]);
            adamw_update(x, m, v, &self.gradient[i], (0.128 / self.shape.hidden as f32, decay), self.steps);
        }
    }
}
