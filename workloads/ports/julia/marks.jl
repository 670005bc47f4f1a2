# marks.jl: tells blasprof, where it watches, what part of the program to measure.
# SPDX-License-Identifier: MIT
using Libdl

"A mark of blasprof.h, which is for C: its preload library has it, or nobody has."
find_mark(name) = something(dlsym(dlopen(""), name; throw_error = false), C_NULL)

function mark(found::Ptr{Cvoid}, name::String)
    found == C_NULL || ccall(found, Cvoid, (Cstring,), name)
end

"Calls work(); what this thread does in it is booked to the region."
function in_region(work, name::String)
    mark(find_mark(:blasprof_shim_region_begin), name)
    result = work()
    mark(find_mark(:blasprof_shim_region_end), name)
    return result
end
