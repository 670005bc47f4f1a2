//! kernels.rs: the parts of a step outside BLAS: pairs of forward and backward functions on slices.
// SPDX-License-Identifier: MIT

const RMSNORM_EPSILON: f32 = 1e-5;
const LANES: usize = 16;

/// e^x with a relative error of at most 3e-7 for x in [-60, 60], and the value at the limit outside.
#[inline(always)]
fn exp(x: f32) -> f32 {
    const ROUND: f32 = 12582912.0; // 1.5 * 2^23: adding it rounds to a whole number
    let x = if x < -60.0 { -60.0 } else { x };
    let x = if x > 60.0 { 60.0 } else { x };
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = (x - n * 0.693359375) - n * -2.12194440e-4;
    let series = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0]
        .iter()
        .fold(1.0 / 5040.0, |sum, term| sum * r + term);
    series * f32::from_bits(shifted.to_bits().wrapping_add(127) << 23)
}

#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// Combines the elements in lanes, so that sums and maxima vectorise.
#[inline(always)]
fn reduce(x: &[f32], first: f32, combine: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [first; LANES];
    let whole = x.chunks_exact(LANES);
    let rest = whole.remainder();
    for part in whole {
        for (lane, value) in lanes.iter_mut().zip(part) {
            *lane = combine(*lane, *value);
        }
    }
    lanes.iter().chain(rest).fold(first, |a, b| combine(a, *b))
}

fn sum(x: &[f32]) -> f32 {
    reduce(x, 0.0, |a, b| a + b)
}

pub fn dot(x: &[f32], y: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    let (whole_x, whole_y) = (x.chunks_exact(LANES), y.chunks_exact(LANES));
    let rest: f32 = whole_x.remainder().iter().zip(whole_y.remainder()).map(|(a, b)| a * b).sum();
    for (part_x, part_y) in whole_x.zip(whole_y) {
        for (lane, (a, b)) in lanes.iter_mut().zip(part_x.iter().zip(part_y)) {
            *lane += a * b;
        }
    }
    sum(&lanes) + rest
}

/// y += factor * x
pub fn add(y: &mut [f32], x: &[f32], factor: f32) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

pub fn rmsnorm_forward(y: &mut [f32], scale: &mut [f32], x: &[f32], gain: &[f32]) {
    let cols = gain.len();
    for ((y, x), scale) in y.chunks_exact_mut(cols).zip(x.chunks_exact(cols)).zip(scale) {
        let factor = 1.0 / (dot(x, x) / cols as f32 + RMSNORM_EPSILON).sqrt();
        *scale = factor;
        for ((y, x), gain) in y.iter_mut().zip(x).zip(gain) {
            *y = x * factor * gain;
        }
    }
}

/// Adds to d_x and to d_gain; overwrites d_y.
pub fn rmsnorm_backward(d_x: &mut [f32], d_gain: &mut [f32], d_y: &mut [f32], x: &[f32], scale: &[f32], gain: &[f32]) {
    let cols = gain.len();
    let rows = d_x.chunks_exact_mut(cols).zip(d_y.chunks_exact_mut(cols)).zip(x.chunks_exact(cols)).zip(scale);
    for (((d_x, d_y), x), factor) in rows {
        for ((d_gain, (d_y, gain)), x) in d_gain.iter_mut().zip(d_y.iter_mut().zip(gain)).zip(x) {
            *d_gain += *d_y * x * factor;
            *d_y *= gain;
        }
        let mean = dot(d_y, x) * factor / cols as f32 * factor;
        for ((d_x, d_y), x) in d_x.iter_mut().zip(d_y).zip(x) {
            *d_x += factor * (*d_y - x * mean);
        }
    }
}

/// Softmax in place; returns the sum that it divided by, and the largest value.
#[inline(always)]
fn softmax(x: &mut [f32]) -> (f32, f32) {
    let largest = reduce(x, f32::NEG_INFINITY, |a, b| if a > b { a } else { b });
    for x in x.iter_mut() {
        *x = exp(*x - largest);
    }
    let total = sum(x);
    let factor = 1.0 / total;
    for x in x.iter_mut() {
        *x *= factor;
    }
    (total, largest)
}

/// Softmax of row r over columns 0..=r; the columns after r become 0.
pub fn causal_softmax_forward(x: &mut [f32], rows: usize) {
    for (r, row) in x.chunks_exact_mut(rows).enumerate() {
        softmax(&mut row[..r + 1]);
        row[r + 1..].fill(0.0);
    }
}

/// Turns the gradient by softmax's output y into that by its input, in place.
pub fn causal_softmax_backward(d: &mut [f32], y: &[f32], rows: usize) {
    for (r, (d, y)) in d.chunks_exact_mut(rows).zip(y.chunks_exact(rows)).enumerate() {
        let mean = dot(&d[..r + 1], &y[..r + 1]);
        for (d, y) in d[..r + 1].iter_mut().zip(y) {
            *d = y * (*d - mean);
        }
        d[r + 1..].fill(0.0);
    }
}

/// y = weight * silu(gate) * up
pub fn swiglu_forward(y: &mut [f32], gate: &[f32], up: &[f32], weight: f32) {
    for ((y, gate), up) in y.iter_mut().zip(gate).zip(up) {
        *y = weight * gate * sigmoid(*gate) * up;
    }
}

/// Computes d_gate and d_up from d_y; returns the gradient by the weight.
pub fn swiglu_backward(
    d_gate: &mut [f32],
    d_up: &mut [f32],
    d_y: &[f32],
    gate: &[f32],
    up: &[f32],
    weight: f32,
) -> f32 {
    let values = gate.iter().zip(up).zip(d_y);
    for ((d_gate, d_up), ((gate, up), d_y)) in d_gate.iter_mut().zip(d_up.iter_mut()).zip(values) {
        let (sigmoid, d) = (sigmoid(*gate), d_y * weight);
        let silu = gate * sigmoid;
        *d_up = d * silu;
        *d_gate = d * up * (sigmoid + silu * (1.0 - sigmoid));
    }
    dot(d_up, up) / weight
}

/// Turns logits into probabilities; returns the mean over rows of -ln(probability of the target).
pub fn cross_entropy_forward(x: &mut [f32], targets: &[u8]) -> f64 {
    let cols = x.len() / targets.len();
    let losses = x.chunks_exact_mut(cols).zip(targets).map(|(x, target)| {
        let wanted = x[*target as usize];
        let (total, largest) = softmax(x);
        f64::from(total).ln() - f64::from(wanted - largest)
    });
    losses.sum::<f64>() / targets.len() as f64
}

/// Turns the probabilities into the gradient by the logits.
pub fn cross_entropy_backward(x: &mut [f32], targets: &[u8]) {
    let cols = x.len() / targets.len();
    let factor = 1.0 / targets.len() as f32;
    for (x, target) in x.chunks_exact_mut(cols).zip(targets) {
        x[*target as usize] -= 1.0;
        x.iter_mut().for_each(|x| *x *= factor);
    }
}

/// Loshchilov and Hutter, "Decoupled weight decay regularization", ICLR 2019, algorithm 2; numbers that
/// are negligibly near to zero are set to zero. `rates` are the learning rate and the weight decay.
pub fn adamw_update(x: &mut [f32], m: &mut [f32], v: &mut [f32], g: &[f32], rates: (f32, f32), step: usize) {
    const BETA1: f32 = 0.9;
    const BETA2: f32 = 0.99;
    let flush = |x: f32, least: f32| if x.abs() < least { 0.0 } else { x };
    let rate = rates.0 / (1.0 - BETA1.powi(step as i32));
    let correction = 1.0 / (1.0 - BETA2.powi(step as i32));
    let keep = 1.0 - rates.0 * rates.1;
    for ((x, g), (m, v)) in x.iter_mut().zip(g).zip(m.iter_mut().zip(v)) {
        let d = flush(*g, 1e-15);
        *m = flush(BETA1 * *m + (1.0 - BETA1) * d, 1e-20);
        *v = flush(BETA2 * *v + (1.0 - BETA2) * d * d, 1e-30);
        *x = keep * *x - rate * *m / ((*v * correction).sqrt() + 1e-8);
    }
}
