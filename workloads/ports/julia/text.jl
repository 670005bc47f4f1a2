# text.jl: repeatable random numbers, and the generated text that the model learns.
# SPDX-License-Identifier: MIT

"SplitMix64: a counter through a bit mixer."
mutable struct Random
    state::UInt64
end

function next!(r::Random)
    r.state += 0x9e3779b97f4a7c15
    z = r.state
    z = (z ⊻ (z >> 30)) * 0xbf58476d1ce4e5b9
    z = (z ⊻ (z >> 27)) * 0x94d049bb133111eb
    return z ⊻ (z >> 31)
end

"A number in [0, 1) with 53 random bits."
uniform!(r::Random) = Float64(next!(r) >> 11) / 2.0^53

"A sentence has one word of each column."
const WORDS = [
    ["the ", "a ", "every ", "one ", "no ", "this ", "my ", "her "],
    ["small ", "red ", "old ", "quick ", "lazy ", "", "", ""],
    ["fox ", "dog ", "bird ", "queen ", "miller ", "child ", "horse ", "river "],
    ["sees ", "finds ", "wants ", "follows ", "jumps over ", "keeps ", "loves ", "hears "],
    ["the ", "a ", "his ", "that ", "some ", "every ", "my ", "one "],
    ["house", "garden", "stone", "box", "song", "tree", "moon", "view"],
    [" at night", " in the rain", " by day", " again", "", "", "", ""],
]

"Characters numbered from 1, by their rank among those that occur."
struct Text
    tokens::Vector{Int}
    vocabulary::Int
    seed::UInt64
end

function Text(length_wanted::Int, seed::UInt64)
    random = Random(seed)
    characters = UInt8[]
    while length(characters) < length_wanted
        for column in WORDS
            append!(characters, codeunits(column[next!(random) % 8 + 1]))
        end
        append!(characters, codeunits(".\n"))
    end
    known = sort(unique(characters))
    return Text([searchsortedfirst(known, c) for c in characters], length(known), seed)
end

"The sequence of `needed` characters for this step."
function sample(text::Text, needed::Int, step::Int)
    mixed = next!(Random(text.seed)) + UInt64(step)
    start = Int(next!(Random(mixed)) % UInt64(length(text.tokens) - needed + 1))
    return view(text.tokens, start+1:start+needed)
end
