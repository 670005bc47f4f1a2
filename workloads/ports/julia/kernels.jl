# kernels.jl: the parts of a step outside BLAS: pairs of forward and backward functions.
# SPDX-License-Identifier: MIT

# A token is a column; d_x is the gradient of the loss by x.

const RMSNORM_EPSILON = 1.0f-5

"e^x with a relative error of at most 3e-7 for x in [-60, 60], and the value at the limit outside."
@inline function fast_exp(x::Float32)
    round_whole = 12582912.0f0 # 1.5 * 2^23: adding it rounds to a whole number
    x = ifelse(x < -60.0f0, -60.0f0, x)
    x = ifelse(x > 60.0f0, 60.0f0, x)
    shifted = x * 1.44269504f0 + round_whole
    n = shifted - round_whole
    r = (x - n * 0.693359375f0) - n * -2.12194440f-4
    s = 1.0f0 / 5040
    s = s * r + 1.0f0 / 720
    s = s * r + 1.0f0 / 120
    s = s * r + 1.0f0 / 24
    s = s * r + 1.0f0 / 6
    s = s * r + 0.5f0
    s = s * r + 1.0f0
    s = s * r + 1.0f0
    return s * reinterpret(Float32, (reinterpret(UInt32, shifted) + UInt32(127)) << 23)
end

@inline sigmoid(x::Float32) = 1.0f0 / (1.0f0 + fast_exp(-x))

function rmsnorm_forward!(y, scale, x, gain)
    h = length(gain)
    @inbounds for t in axes(x, 2)
        squares = 0.0f0
        @simd for i = 1:h
            squares += x[i, t] * x[i, t]
        end
        factor = 1.0f0 / sqrt(squares / h + RMSNORM_EPSILON)
        scale[t] = factor
        @simd ivdep for i = 1:h
            y[i, t] = x[i, t] * factor * gain[i]
        end
    end
end

"Adds to d_x and to d_gain."
function rmsnorm_backward!(d_x, d_gain, d_y, x, scale, gain)
    h = length(gain)
    @inbounds for t in axes(x, 2)
        factor, mean = scale[t], 0.0f0
        @simd for i = 1:h
            mean += d_y[i, t] * x[i, t] * factor * gain[i]
        end
        mean = mean / h * factor
        @simd ivdep for i = 1:h
            d_gain[i] += d_y[i, t] * x[i, t] * factor
            d_x[i, t] += factor * (d_y[i, t] * gain[i] - x[i, t] * mean)
        end
    end
end

"Softmax of the first `count` of column t; returns the sum that it divided by, and the largest."
@inline function softmax!(x, t, count)
    largest, total = x[1, t], 0.0f0
    @inbounds @simd for i = 1:count
        largest = ifelse(x[i, t] > largest, x[i, t], largest)
    end
    @inbounds @simd for i = 1:count
        e = fast_exp(x[i, t] - largest)
        x[i, t] = e
        total += e
    end
    factor = 1.0f0 / total
    @inbounds @simd for i = 1:count
        x[i, t] *= factor
    end
    return total, largest
end

"Softmax of column t over rows 1 to t; the rows after t become 0."
function causal_softmax_forward!(x)
    for t in axes(x, 2)
        softmax!(x, t, t)
        x[t+1:end, t] .= 0
    end
end

"Turns the gradient by softmax's output y into that by its input, in place."
function causal_softmax_backward!(d, y)
    @inbounds for t in axes(d, 2)
        mean = 0.0f0
        @simd for i = 1:t
            mean += d[i, t] * y[i, t]
        end
        @simd ivdep for i = 1:t
            d[i, t] = y[i, t] * (d[i, t] - mean)
        end
        d[t+1:end, t] .= 0
    end
end

"y = weight * silu(gate) * up"
function swiglu_forward!(y, gate, up, weight)
    @inbounds @simd ivdep for i in eachindex(y, gate, up)
        y[i] = weight * gate[i] * sigmoid(gate[i]) * up[i]
    end
end

"Computes d_gate and d_up from d_y; returns the gradient by the weight."
function swiglu_backward!(d_gate, d_up, d_y, gate, up, weight)
    total = 0.0f0
    @inbounds @simd for i in eachindex(d_gate, d_up, d_y, gate, up)
        s = sigmoid(gate[i])
        silu, d = gate[i] * s, d_y[i] * weight
        total += d_y[i] * silu * up[i]
        d_up[i] = d * silu
        d_gate[i] = d * up[i] * (s + silu * (1.0f0 - s))
    end
    return total
end

"Turns logits into probabilities; returns the mean of -ln(probability of the target)."
function cross_entropy_forward!(x, targets)
    loss = 0.0
    for (t, target) in enumerate(targets)
        wanted = x[target, t]
        total, largest = softmax!(x, t, size(x, 1))
        loss += log(Float64(total)) - Float64(wanted - largest)
    end
    return loss / length(targets)
end

"Turns the probabilities into the gradient by the logits."
function cross_entropy_backward!(x, targets)
    for (t, target) in enumerate(targets)
        x[target, t] -= 1
    end
    x .*= 1.0f0 / length(targets)
end

"Zero if x is negligibly near to zero, else x."
@inline flush(x::Float32, least::Float32) = ifelse(abs(x) < least, 0.0f0, x)

"Loshchilov and Hutter, \"Decoupled weight decay regularization\", ICLR 2019, algorithm 2."
function adamw_update!(x, m, v, g, rate::Float32, decay::Float32, step::Int)
    beta1, beta2 = 0.9f0, 0.99f0
    corrected, correction = rate / (1 - beta1^step), 1 / (1 - beta2^step)
    keep = 1 - rate * decay
    @inbounds @simd ivdep for i in eachindex(x, m, v, g)
        d = flush(g[i], 1.0f-15)
        mean = flush(beta1 * m[i] + (1 - beta1) * d, 1.0f-20)
        square = flush(beta2 * v[i] + (1 - beta2) * d * d, 1.0f-30)
        m[i] = mean
        v[i] = square
        x[i] = keep * x[i] - corrected * mean / (@fastmath(sqrt(square * correction)) + 1.0f-8) # no check of the sign
    end
end
