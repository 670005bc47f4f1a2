# moe.jl: the mixture-of-experts transformer in Julia: trains or runs it on threads, and prints the result.
# SPDX-License-Identifier: MIT
using Printf

include("text.jl")
include("blas.jl")
include("kernels.jl")
include("marks.jl")
include("model.jl")

const GENERATED_TEXT_BYTES = 1 << 16

"Name, minimum, maximum and default of each number; the first is the operand."
const NUMBERS = [
    ("THREADS", 1, 1024, 1),
    ("hidden", 64, 2048, 64),
    ("blocks", 1, 64, 2),
    ("experts", 1, 64, 8),
    ("top-k", 1, 64, 2),
    ("sequence", 1, 4096, 64),
    ("steps", 1, 1_000_000_000, 0),
    ("seed", 0, typemax(Int), 1),
]
const USAGE = "usage: julia --threads=THREADS moe.jl train|infer|kernels|call [THREADS]" *
              join(" [--$(row[1])=N]" for row in NUMBERS[2:end])

function fail(what)
    println(stderr, "moe.jl: ", what)
    exit(2)
end

function parse_number(row, text)
    name, low, high, _ = row
    value = tryparse(Int, text)
    dashes = name == "THREADS" ? "" : "--"
    (value === nothing || !(low <= value <= high)) &&
        fail("$dashes$name: '$text' is not a whole number from $low to $high")
    return value
end

"The values of all numbers by name, and the task."
function parse_options(arguments)
    options = Dict{String,Int}(row[1] => row[4] for row in NUMBERS)
    isempty(arguments) || !(arguments[1] in ("train", "infer", "kernels", "call")) && fail(USAGE)
    isempty(arguments) && fail(USAGE)
    task, left = arguments[1], arguments[2:end]
    options["steps"] = task == "train" ? 3000 : 10000
    operands = 0
    while !isempty(left)
        argument = popfirst!(left)
        if !startswith(argument, "--")
            (operands += 1) > 1 && fail("'$argument' is one argument too many: only the number of threads is expected")
            options["THREADS"] = parse_number(NUMBERS[1], argument)
            continue
        end
        parts = split(argument[3:end], '=', limit = 2)
        row = findfirst(r -> r[1] == parts[1], NUMBERS)
        row in (nothing, 1) && fail("unknown option '$argument'; $USAGE")
        length(parts) == 1 && isempty(left) && fail("option '$argument' needs a value")
        options[parts[1]] = parse_number(NUMBERS[row], length(parts) == 2 ? parts[2] : popfirst!(left))
    end
    options["top-k"] <= options["experts"] ||
        fail("--top-k: $(options["top-k"]) is more than there are experts ($(options["experts"]))")
    options["THREADS"] <= Threads.nthreads() ||
        fail("Julia has $(Threads.nthreads()) threads, not $(options["THREADS"]): start it by julia --threads=$(options["THREADS"])")
    return task, options
end

"The data that all threads share."
struct Run
    shape::Shape
    text::Text
    seed::UInt64
    steps::Int
    threads::Int
    trains::Bool
end

"The results of one thread."
struct Share
    losses::Vector{Float64}
    start_ns::UInt64
    end_ns::UInt64
end

"One step of the worker; only forward if there is no model to train."
function step!(run::Run, w::Worker, parameters::Tensors, m::Union{Model,Nothing}, step::Int)
    tokens = sample(run.text, run.shape.tokens + 1, step)
    loss = forward!(w, parameters, tokens)
    if m !== nothing
        backward!(w, parameters, m.gradient, tokens)
        update!(m, run.shape.hidden)
    end
    return loss
end

"Does steps index, index + threads, ... (from 0) after all threads are ready."
function work(run::Run, index::Int, shared::Union{Tensors,Nothing}, ready::Threads.Atomic{Int}, region = "steps")
    w = Worker(run.shape)
    m = run.trains ? Model(run.shape, run.seed) : nothing
    parameters = m === nothing ? shared : m.parameters
    Threads.atomic_add!(ready, 1)
    while ready[] < run.threads
        GC.safepoint()
    end
    start = time_ns()
    losses = in_region(region) do
        [step!(run, w, parameters, m, s) for s = index:run.threads:run.steps-1]
    end
    return Share(losses, start, time_ns())
end

function run_threads(run::Run)
    shared = run.trains ? nothing : started_tensors(run.shape, run.seed)
    shares = Vector{Share}(undef, run.threads)
    ready = Threads.Atomic{Int}(0)
    # as many iterations as Julia has threads, one for each
    Threads.@threads for i = 1:Threads.nthreads()
        if i <= run.threads
            shares[i] = work(run, i - 1, shared, ready)
        end
    end
    return shares
end

function print_shape(task, run::Run)
    s = run.shape
    in_blocks, in_all = calls(s, run.trains)
    println("$task hidden $(s.hidden) inner $(s.inner) blocks $(s.blocks) experts $(s.experts) top-k $(s.top_k) ",
        "sequence $(s.tokens) vocabulary $(s.vocabulary) parameters $(parameter_count(zero_tensors(s))) ",
        "routing sequence sgemm-in-blocks $in_blocks sgemm-a-step $in_all")
end

function print_result(run::Run, shares)
    mean(x) = sum(x) / length(x)
    window(x) = max(1, length(x) ÷ 10)
    seconds = (maximum(s.end_ns for s in shares) - minimum(s.start_ns for s in shares)) * 1e-9
    losses = [s.losses for s in shares if !isempty(s.losses)]
    rate = run.steps / seconds
    print(run.trains ? "trn/s " : "inf/s ", rate < 100 ? @sprintf("%.4f", rate) : @sprintf("%.1f", rate))
    if run.trains
        before, after = mean([mean(x[1:window(x)]) for x in losses]), mean([mean(x[end-window(x)+1:end]) for x in losses])
        @printf(" loss-before %.8f loss-after %.8f mode independent", before, after)
    else
        @printf(" loss %.8f", sum(sum.(losses)) / run.steps)
    end
    @printf(" steps %d threads %d seconds %.3f\n", run.steps, run.threads, seconds)
end

"Median time of a call in microseconds."
function time_us(call)
    times = map(1:201) do _
        start = time_ns()
        for _ = 1:20
            call()
        end
        (time_ns() - start) * 1e-3 / 20
    end
    return sort(times)[101]
end

function print_kernels(tokens, hidden)
    scores, x, gain = fill(0.5f0, tokens, tokens), fill(0.5f0, hidden, tokens), ones(Float32, hidden)
    y, scale = similar(x), zeros(Float32, tokens)
    softmax = time_us(() -> causal_softmax_forward!(scores))
    rmsnorm = time_us(() -> rmsnorm_forward!(y, scale, x, gain))
    small, product = fill(0.5f0, 2, 2), zeros(Float32, 2, 2)
    call = time_us(() -> gemm!('N', 'N', 1, small, small, 0, product))
    @printf("kernels sequence %d hidden %d softmax-us %.3f rmsnorm-us %.3f call-us %.3f\n",
        tokens, hidden, softmax, rmsnorm, call)
end

"Prints the times of a BLAS call from this language, a product of 1 x 1, for workloads/ceilings --port."
function print_call()
    runs = 1000
    a, b, c = fill(0.5f0, 1, 1), fill(0.75f0, 1, 1), zeros(Float32, 1, 1)
    sample() = begin
        start = time_ns()
        for _ = 1:runs
            gemm!('N', 'N', 1, a, b, 0, c)
        end
        (time_ns() - start) / runs
    end
    sample()
    println("call product $(c[1]) runs $runs ns ", join([@sprintf("%.3f", sample()) for _ = 1:101], " "))
end

function main()
    task, options = parse_options(ARGS)
    use_one_blas_thread()
    task == "kernels" && return print_kernels(options["sequence"], options["hidden"])
    task == "call" && return print_call()
    text = Text(max(options["sequence"] + 1, GENERATED_TEXT_BYTES), UInt64(options["seed"]))
    shape = Shape(options["sequence"], options["hidden"], 2 * options["hidden"], options["blocks"],
        options["experts"], options["top-k"], text.vocabulary)
    run = Run(shape, text, UInt64(options["seed"]), options["steps"], options["THREADS"], task == "train")
    print_shape(task, run)
    compile(run)
    print_result(run, run_threads(run))
    haskey(ENV, "ALLOCATIONS_FILE") && write_allocations(ENV["ALLOCATIONS_FILE"])
end

"Writes the number of allocations."
function write_allocations(path)
    count = Base.gc_num()
    write(path, "$(count.malloc + count.realloc + count.poolalloc + count.bigalloc)\n")
end

"Runs one step before the measurement, because Julia compiles code on its first run."
function compile(run::Run)
    work(Run(run.shape, run.text, run.seed, 1, 1, run.trains), 0,
        run.trains ? nothing : started_tensors(run.shape, run.seed), Threads.Atomic{Int}(0), "warm-up")
end

main()
