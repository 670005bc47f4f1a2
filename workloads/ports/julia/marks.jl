# marks.jl: marks the part of the program that blasprof has to measure.
# SPDX-License-Identifier: MIT
using Libdl

"Finds a function of blasprof.h (for C) in the preload library; C_NULL without blasprof."
find_mark(name) = something(dlsym(dlopen(""), name; throw_error = false), C_NULL)

function mark(found::Ptr{Cvoid}, name::String)
    found == C_NULL || ccall(found, Cvoid, (Cstring,), name)
end

"Calls work() inside the region."
function in_region(work, name::String)
    mark(find_mark(:blasprof_shim_region_begin), name)
    result = work()
    mark(find_mark(:blasprof_shim_region_end), name)
    return result
end
