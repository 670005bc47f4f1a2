//! main.rs: the mixture-of-experts transformer in Rust: trains or runs it on threads, and prints the result.
// SPDX-License-Identifier: MIT
mod blas;
mod kernels;
mod model;
mod options;
mod text;

use model::{Model, Shape, Tensors, Worker};
use options::Options;
use std::sync::Barrier;
use std::time::Instant;
use text::Text;

const GENERATED_TEXT_BYTES: usize = 1 << 16;

/// The results of one thread.
struct Share {
    losses: Vec<f64>,
    start: Instant,
    end: Instant,
}

impl Share {
    /// The mean losses of the first and the last tenth of the steps, and the sum of all.
    fn summary(&self) -> (f64, f64, f64) {
        let window = std::cmp::max(1, self.losses.len() / 10);
        let mean = |part: &[f64]| part.iter().sum::<f64>() / window as f64;
        let last = &self.losses[self.losses.len() - window..];
        (mean(&self.losses[..window]), mean(last), self.losses.iter().sum())
    }
}

/// The data that all threads share.
struct Run {
    shape: Shape,
    text: Text,
    seed: u64,
    steps: usize,
    threads: usize,
    trains: bool,
}

impl Run {
    /// Does steps index, index + threads, ... after all threads are ready. Trains a model, or only runs the
    /// shared parameters.
    fn work(&self, index: usize, ready: &Barrier, shared: &Tensors) -> Share {
        let mut worker = Worker::new(self.shape);
        let mut model = self.trains.then(|| Model::new(self.shape, self.seed));
        ready.wait();
        let start = Instant::now();
        let losses = (index..self.steps).step_by(self.threads).map(|step| {
            let tokens = self.text.sample(self.shape.tokens + 1, step);
            let Some(model) = &mut model else {
                return worker.forward(shared, tokens);
            };
            let loss = worker.forward(&model.parameters, tokens);
            worker.backward(&model.parameters, &mut model.gradient, tokens);
            model.update();
            loss
        });
        Share { losses: losses.collect(), start, end: Instant::now() }
    }

    fn run(&self) -> Vec<Share> {
        let shared = &if self.trains { Tensors::new() } else { self.shape.start(self.seed) };
        let ready = &Barrier::new(self.threads);
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads).map(|i| scope.spawn(move || self.work(i, ready, shared))).collect();
            threads.into_iter().map(|thread| thread.join().expect("a thread panicked")).collect()
        })
    }

    fn print_shape(&self, task: &str) {
        let Shape { tokens, hidden, inner, blocks, experts, top_k, vocabulary } = self.shape;
        let (in_blocks, all) = self.shape.calls(self.trains);
        println!(
            "{task} hidden {hidden} inner {inner} blocks {blocks} experts {experts} top-k {top_k} sequence {tokens} \
             vocabulary {vocabulary} parameters {} routing sequence sgemm-in-blocks {in_blocks} sgemm-a-step {all}",
            self.shape.parameters()
        );
    }

    fn print_result(&self, shares: &[Share]) {
        let (steps, threads) = (self.steps, self.threads);
        let start = shares.iter().map(|share| share.start).min().expect("there is a thread");
        let end = shares.iter().map(|share| share.end).max().expect("there is a thread");
        let seconds = (end - start).as_secs_f64();
        let rate = steps as f64 / seconds;
        let rate = format!("{:.*}", if rate < 100.0 { 4 } else { 1 }, rate);
        let sums: Vec<_> = shares.iter().filter(|share| !share.losses.is_empty()).map(Share::summary).collect();
        let mean = |pick: fn(&(f64, f64, f64)) -> f64| sums.iter().map(pick).sum::<f64>() / sums.len() as f64;
        if self.trains {
            let (before, after) = (mean(|sum| sum.0), mean(|sum| sum.1));
            print!("trn/s {rate} loss-before {before:.8} loss-after {after:.8} mode independent");
        } else {
            print!("inf/s {rate} loss {:.8}", sums.iter().map(|sum| sum.2).sum::<f64>() / steps as f64);
        }
        println!(" steps {steps} threads {threads} seconds {seconds:.3}");
    }
}

/// Median time of a call in microseconds.
fn time_us(mut call: impl FnMut()) -> f64 {
    const ROUNDS: usize = 201;
    const CALLS: usize = 20;
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            (0..CALLS).for_each(|_| call());
            start.elapsed().as_secs_f64() * 1e6 / CALLS as f64
        })
        .collect();
    times.sort_unstable_by(f64::total_cmp);
    times[ROUNDS / 2]
}

fn print_kernels(s: Shape) {
    let mut scores = vec![0.5; s.tokens * s.tokens];
    let softmax = time_us(|| kernels::causal_softmax_forward(&mut scores, s.tokens));
    let (x, gain) = (vec![0.5; s.tokens * s.hidden], vec![1.0; s.hidden]);
    let (mut y, mut scale) = (x.clone(), vec![0.0; s.tokens]);
    let rmsnorm = time_us(|| kernels::rmsnorm_forward(&mut y, &mut scale, &x, &gain));
    let (small, mut product) = ([0.5; 4], [0.0; 4]);
    let call = time_us(|| blas::gemm_nn((2, 2, 2), 1.0, &small, &small, 0.0, &mut product));
    println!(
        "kernels sequence {} hidden {} softmax-us {softmax:.3} rmsnorm-us {rmsnorm:.3} call-us {call:.3}",
        s.tokens, s.hidden
    );
}

/// Prints the times of a BLAS call from this language, a product of 1 x 1, for workloads/ceilings --port.
fn print_call() {
    const SAMPLES: usize = 101;
    const RUNS: usize = 1000;
    let (a, b, mut c) = ([0.5], [0.75], [0.0]);
    let times: Vec<String> = (0..SAMPLES)
        .map(|_| {
            let start = Instant::now();
            (0..RUNS).for_each(|_| blas::gemm_nn((1, 1, 1), 1.0, &a, &b, 0.0, &mut c));
            format!("{:.3}", start.elapsed().as_secs_f64() * 1e9 / RUNS as f64)
        })
        .collect();
    println!("call product {} runs {RUNS} ns {}", c[0], times.join(" "));
}

fn run(options: &Options) {
    let needed = options.get("sequence") + 1;
    let seed = options.get("seed") as u64;
    let text = Text::generate(std::cmp::max(needed, GENERATED_TEXT_BYTES), seed);
    let shape = Shape {
        tokens: options.get("sequence"),
        hidden: options.get("hidden"),
        inner: 2 * options.get("hidden"),
        blocks: options.get("blocks"),
        experts: options.get("experts"),
        top_k: options.get("top-k"),
        vocabulary: text.vocabulary,
    };
    blas::use_one_thread();
    match options.task.as_str() {
        "kernels" => return print_kernels(shape),
        "call" => return print_call(),
        _ => (),
    }
    let (steps, threads) = (options.get("steps"), options.get("THREADS"));
    let run = Run { shape, text, seed, steps, threads, trains: options.task == "train" };
    run.print_shape(&options.task);
    run.print_result(&run.run());
}

fn main() {
    match Options::parse(std::env::args().skip(1)) {
        Ok(options) => run(&options),
        Err(what) => {
            eprintln!("moe-rust: {what}");
            std::process::exit(2);
        }
    }
}
