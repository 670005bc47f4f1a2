# model.jl: the mixture-of-experts transformer: its tensors, forward, backward and update.
# SPDX-License-Identifier: MIT

struct Shape
    tokens::Int
    hidden::Int
    inner::Int
    blocks::Int
    experts::Int
    top_k::Int
    vocabulary::Int
end

@enum Start ONES FAN_IN SMALL

"A matrix is (out, in), so that y = W x with a token in each column."
const Stream = Matrix{Float32}

"A block's parameters, or values of the same layout; a vector of matrices has one for each expert."
struct BlockTensors
    attention_gain::Vector{Float32}
    query::Stream
    key::Stream
    value::Stream
    output::Stream
    experts_gain::Vector{Float32}
    router::Stream # (hidden, experts)
    gate::Vector{Stream}
    up::Vector{Stream}
    down::Vector{Stream}
end

struct Tensors
    embedding::Stream # (hidden, vocabulary)
    position::Stream  # (hidden, tokens)
    final_gain::Vector{Float32}
    head::Stream
    blocks::Vector{BlockTensors}
end

"Makes all tensors by `make(start, dimensions...)`, in the order of their initialisation."
function Tensors(make, s::Shape)
    h, f = s.hidden, s.inner
    experts(dims...) = [make(FAN_IN, dims...) for _ = 1:s.experts]
    model = (make(SMALL, h, s.vocabulary), make(SMALL, h, s.tokens), make(ONES, h),
        make(FAN_IN, s.vocabulary, h))
    blocks = [
        BlockTensors(make(ONES, h), make(FAN_IN, h, h), make(FAN_IN, h, h), make(FAN_IN, h, h),
            make(FAN_IN, h, h), make(ONES, h), make(SMALL, h, s.experts), experts(f, h),
            experts(f, h), experts(h, f)) for _ = 1:s.blocks
    ]
    return Tensors(model..., blocks)
end

zero_tensors(s::Shape) = Tensors((_, dims...) -> zeros(Float32, dims...), s)

function started_tensors(s::Shape, seed::UInt64)
    random = Random(seed)
    return Tensors(s) do start, dims...
        start == ONES && return ones(Float32, dims...)
        # a uniform number in [-1, 1] has a standard deviation of 1 / sqrt(3)
        reach = sqrt(3.0) * (start == SMALL ? 0.1 : 1.0 / sqrt(dims[end]))
        values = zeros(Float32, dims...)
        for i in eachindex(values)
            values[i] = reach * (2.0 * uniform!(random) - 1.0)
        end
        values
    end
end

"Calls visit(arrays...) for each tensor and its counterparts in the other sets."
function each_tensor(visit, sets::Tensors...)
    for name in (:embedding, :position, :final_gain, :head)
        visit(getfield.(sets, name)...)
    end
    for blocks in zip(getfield.(sets, :blocks)...), name in fieldnames(BlockTensors)
        tensors = getfield.(blocks, name)
        tensors[1] isa Vector{Stream} ? foreach(visit, tensors...) : visit(tensors...)
    end
end

function parameter_count(tensors::Tensors)
    count = 0
    each_tensor(x -> count += length(x), tensors)
    return count
end

"The cblas_sgemm calls of one step in the blocks, and in all, including the output head."
function calls(s::Shape, trains::Bool)
    passes = trains ? 3 : 1
    in_blocks = s.blocks * (6 + 3 * s.top_k) * passes
    return in_blocks, in_blocks + passes
end

stream(s::Shape) = zeros(Float32, s.hidden, s.tokens)
inner(s::Shape) = zeros(Float32, s.inner, s.tokens)

"An expert that the sequence goes to, and the weight of its output."
mutable struct Visit
    expert::Int
    weight::Float32
    d_weight::Float32
    gate::Stream
    up::Stream
    product::Stream
end

Visit(s::Shape) = Visit(0, 0, 0, inner(s), inner(s), inner(s))

"The activations of a block that backward needs."
struct Block
    input::Stream
    attention_scale::Vector{Float32}
    attention_normed::Stream
    query::Stream
    key::Stream
    value::Stream
    attention::Stream # (seen token, token)
    mixed::Stream
    middle::Stream
    experts_scale::Vector{Float32}
    experts_normed::Stream
    mean::Vector{Float32}
    visits::Vector{Visit} # in order of expert
end

Block(s::Shape) = Block(stream(s), zeros(Float32, s.tokens), stream(s), stream(s), stream(s), stream(s),
    zeros(Float32, s.tokens, s.tokens), stream(s), stream(s), zeros(Float32, s.tokens), stream(s),
    zeros(Float32, s.hidden), [Visit(s) for _ = 1:s.top_k])

"The working memory of one thread: all data that a step writes except the parameters."
struct Worker
    shape::Shape
    blocks::Vector{Block}
    x::Stream # the residual stream
    final_scale::Vector{Float32}
    final_normed::Stream
    logits::Stream # (vocabulary, token)
    d_x::Stream
    d_normed::Stream
    d_query::Stream
    d_key::Stream
    d_value::Stream
    d_mixed::Stream
    d_attention::Stream
    d_product::Stream
    d_gate::Stream
    d_up::Stream
    d_mean::Vector{Float32}
end

Worker(s::Shape) = Worker(s, [Block(s) for _ = 1:s.blocks], stream(s), zeros(Float32, s.tokens), stream(s),
    zeros(Float32, s.vocabulary, s.tokens), stream(s), stream(s), stream(s), stream(s), stream(s), stream(s),
    zeros(Float32, s.tokens, s.tokens), inner(s), inner(s), inner(s), zeros(Float32, s.hidden))

temper(w::Worker) = 1.0f0 / sqrt(Float32(w.shape.hidden))

"Predicts tokens[2:end] from the tokens before; returns the mean loss in nats."
function forward!(w::Worker, p::Tensors, tokens)
    for t in axes(w.x, 2)
        w.x[:, t] .= view(p.embedding, :, tokens[t]) .+ view(p.position, :, t)
    end
    for (b, block) in enumerate(w.blocks)
        attention_forward!(w, p.blocks[b], block)
        experts_forward!(w, p.blocks[b], block)
    end
    rmsnorm_forward!(w.final_normed, w.final_scale, w.x, p.final_gain)
    gemm!('N', 'N', 1, p.head, w.final_normed, 0, w.logits)
    return cross_entropy_forward!(w.logits, view(tokens, 2:length(tokens)))
end

function attention_forward!(w::Worker, p::BlockTensors, b::Block)
    copyto!(b.input, w.x)
    rmsnorm_forward!(b.attention_normed, b.attention_scale, b.input, p.attention_gain)
    gemm!('N', 'N', 1, p.query, b.attention_normed, 0, b.query)
    gemm!('N', 'N', 1, p.key, b.attention_normed, 0, b.key)
    gemm!('N', 'N', 1, p.value, b.attention_normed, 0, b.value)
    gemm!('T', 'N', temper(w), b.key, b.query, 0, b.attention)
    causal_softmax_forward!(b.attention)
    gemm!('N', 'N', 1, b.value, b.attention, 0, b.mixed)
    gemm!('N', 'N', 1, p.output, b.mixed, 1, w.x)
    copyto!(b.middle, w.x)
end

"Chooses the experts for all tokens by their mean; of equal experts the first."
function route!(w::Worker, p::BlockTensors, b::Block)
    b.mean .= 0
    for t in axes(w.x, 2)
        b.mean .+= view(b.experts_normed, :, t) .* (1.0f0 / w.shape.tokens)
    end
    scores = [sum(b.mean .* view(p.router, :, e)) for e = 1:w.shape.experts]
    chosen = sort(sortperm(scores, rev = true)[1:w.shape.top_k])
    weights = exp.(scores[chosen] .- maximum(scores))
    weights ./= sum(weights)
    for (visit, expert, weight) in zip(b.visits, chosen, weights)
        visit.expert, visit.weight = expert, weight
    end
end

function experts_forward!(w::Worker, p::BlockTensors, b::Block)
    rmsnorm_forward!(b.experts_normed, b.experts_scale, b.middle, p.experts_gain)
    route!(w, p, b)
    for v in b.visits
        gemm!('N', 'N', 1, p.gate[v.expert], b.experts_normed, 0, v.gate)
        gemm!('N', 'N', 1, p.up[v.expert], b.experts_normed, 0, v.up)
        swiglu_forward!(v.product, v.gate, v.up, v.weight)
        gemm!('N', 'N', 1, p.down[v.expert], v.product, 1, w.x)
    end
end

"Overwrites g with the gradient of the loss; after forward! on the same tokens."
function backward!(w::Worker, p::Tensors, g::Tensors, tokens)
    each_tensor(x -> fill!(x, 0), g)
    fill!(w.d_x, 0)
    cross_entropy_backward!(w.logits, view(tokens, 2:length(tokens)))
    gemm!('N', 'T', 1, w.logits, w.final_normed, 0, g.head)
    gemm!('T', 'N', 1, p.head, w.logits, 0, w.d_normed)
    rmsnorm_backward!(w.d_x, g.final_gain, w.d_normed, w.x, w.final_scale, p.final_gain)
    for b = length(w.blocks):-1:1
        experts_backward!(w, p.blocks[b], g.blocks[b], w.blocks[b])
        attention_backward!(w, p.blocks[b], g.blocks[b], w.blocks[b])
    end
    for t in axes(w.d_x, 2)
        g.embedding[:, tokens[t]] .+= view(w.d_x, :, t)
    end
    copyto!(g.position, w.d_x)
end

function experts_backward!(w::Worker, p::BlockTensors, g::BlockTensors, b::Block)
    fill!(w.d_normed, 0)
    for v in b.visits
        e = v.expert
        gemm!('T', 'N', 1, p.down[e], w.d_x, 0, w.d_product)
        gemm!('N', 'T', 1, w.d_x, v.product, 0, g.down[e])
        v.d_weight = swiglu_backward!(w.d_gate, w.d_up, w.d_product, v.gate, v.up, v.weight)
        gemm!('N', 'T', 1, w.d_gate, b.experts_normed, 0, g.gate[e])
        gemm!('N', 'T', 1, w.d_up, b.experts_normed, 0, g.up[e])
        gemm!('T', 'N', 1, p.gate[e], w.d_gate, 1, w.d_normed)
        gemm!('T', 'N', 1, p.up[e], w.d_up, 1, w.d_normed)
    end
    route_backward!(w, p, g, b)
    rmsnorm_backward!(w.d_x, g.experts_gain, w.d_normed, b.middle, b.experts_scale, p.experts_gain)
end

"Adds to d_normed and to the router's gradient; the choice has no gradient."
function route_backward!(w::Worker, p::BlockTensors, g::BlockTensors, b::Block)
    mean = sum(v.weight * v.d_weight for v in b.visits)
    fill!(w.d_mean, 0)
    for v in b.visits
        d_score = v.weight * (v.d_weight - mean)
        g.router[:, v.expert] .+= d_score .* b.mean
        w.d_mean .+= d_score .* view(p.router, :, v.expert)
    end
    w.d_normed .+= w.d_mean .* (1.0f0 / w.shape.tokens)
end

function attention_backward!(w::Worker, p::BlockTensors, g::BlockTensors, b::Block)
    gemm!('N', 'T', 1, w.d_x, b.mixed, 0, g.output)
    gemm!('T', 'N', 1, p.output, w.d_x, 0, w.d_mixed)
    gemm!('T', 'N', 1, b.value, w.d_mixed, 0, w.d_attention)
    gemm!('N', 'T', 1, w.d_mixed, b.attention, 0, w.d_value)
    causal_softmax_backward!(w.d_attention, b.attention)
    gemm!('N', 'N', temper(w), b.key, w.d_attention, 0, w.d_query)
    gemm!('N', 'T', temper(w), b.query, w.d_attention, 0, w.d_key)
    fill!(w.d_normed, 0)
    for (weight, d_weight, d) in
        ((p.query, g.query, w.d_query), (p.key, g.key, w.d_key), (p.value, g.value, w.d_value))
        gemm!('N', 'T', 1, d, b.attention_normed, 0, d_weight)
        gemm!('T', 'N', 1, weight, d, 1, w.d_normed)
    end
    rmsnorm_backward!(w.d_x, g.attention_gain, w.d_normed, b.input, b.attention_scale, p.attention_gain)
end

"The model that one thread trains."
mutable struct Model
    parameters::Tensors
    gradient::Tensors
    mean::Tensors
    square::Tensors
    steps::Int
end

Model(s::Shape, seed::UInt64) =
    Model(started_tensors(s, seed), zero_tensors(s), zero_tensors(s), zero_tensors(s), 0)

"Makes one AdamW update by the gradient; gains, which are vectors, do not decay."
function update!(m::Model, hidden::Int)
    m.steps += 1
    rate = 0.128f0 / hidden
    each_tensor(m.parameters, m.mean, m.square, m.gradient) do x, mean, square, gradient
        adamw_update!(x, mean, square, gradient, rate, ndims(x) == 1 ? 0.0f0 : 0.01f0, m.steps)
    end
end
