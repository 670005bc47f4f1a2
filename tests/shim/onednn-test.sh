#!/bin/sh
# onednn-test.sh: oneDNN's primitives that multiply matrices are booked as calls, with the right number and time: by the
# function that executes them, or by ITT if that cannot be intercepted.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

program=$PWD/tests/shim/onednn
[ -x "$program" ] || { echo "SKIP: there was no oneDNN to build with (libdnnl-dev)" && exit 77; }
bf16=
! grep -q '^flags.* avx512bw' /proc/cpuinfo || bf16=bf16,

# Prints what oneDNN says that it executed: kind, type of its source, number. Includes runtime dimensions.
verbose()
{
	sed -n 's/^onednn_verbose,exec,cpu,\([a-z_]*\),.*,src[a-z_]*_\([a-z]*[0-9]*\):.*/\1 \2/p' "$work/out" |
		grep -E '^(matmul|inner_product|convolution|deconvolution|rnn) ' | sed 's/ f32/ fp32/' | sort | uniq -c |
		awk '{ print $2, $3, $1 }'
}

# Prints the compute unit of each kind and type, as in the store, from the names of the implementations.
units()
{
	sed -n 's/^onednn_verbose,exec,cpu,\([a-z_]*\),\([^,]*\),.*,src[a-z_]*_\([a-z]*[0-9]*\):.*/onednn_\1 \3 \2/p' "$work/out" |
		grep -E '^onednn_(matmul|inner_product|convolution|deconvolution|rnn) ' | awk '
		{ unit = $3 ~ /amx/ ? 3 : $3 ~ /avx512.*bf16/ ? 1 : 0; of = $1 " " substr($2, 1, 1); most[of] = unit > most[of] + 0 ? unit : most[of] }
		END { for (of in most) if (most[of]) print of, most[of] }' | sed 's/ f / s /' | sort
}

# Prints the same as verbose() from the shapes of a store.
counted()
{
	"$SQLITE3" -separator ' ' "$work/$1" "SELECT substr(routine, 8), CASE type WHEN 's' THEN 'fp32' WHEN 'b' THEN 'bf16'
		ELSE type END AS name, sum(calls) FROM shapes WHERE way = 'onednn' GROUP BY 1, 2 ORDER BY 1, 2"
}

# both_ways THREADS TIMES VERBOSE: executes each primitive by the intercepted function, and by the library's own, which
# only ITT reports. Threads do not spin while another one has no CPU.
both_ways()
{
	rm -f "$work/ways.db"
	expect 0 env OMP_NUM_THREADS="$1" OMP_WAIT_POLICY=passive DNNL_VERBOSE="$3" "$blasprof" -q -F 0 -i ways.db -- "$program" "$2" "${bf16}hidden"
}

# times_agree THREADS: the calls' time, with blasprof's own cost, differs from that of the program's own clock by at most 5 %,
# and between the two ways by at most 2 %. Time for which the host takes the CPUs away is in the own clock only, so this holds
# for the first, or for one of four further tries.
times_agree()
{
	for try in 1 2 3 4 5; do
		both_ways "$1" 100 0
		"$SQLITE3" -separator ' ' "$work/ways.db" "SELECT sum(total_ns * (type != 'u')) + own / 2, sum(total_ns * (type = 'u')) + own / 2
			FROM shapes, (SELECT sum(own_ns) AS own FROM threads)" |
			paste "$work/out" - | awk -v threads="$1" -v try=$try '
			function near(ratio, low, high) { bad += ratio < low || ratio > high; return ratio }
			{
				printf "%d threads, try %d: intercepted %.3f of the time by the own clock, ITT %.3f, the ratio is %.3f\n", threads,
					try, near($3 / $1, 0.95, 1.01), near($4 / $2, 0.95, 1.01), near($4 / $2 / ($3 / $1), 0.98, 1.02)
				exit bad
			}' && return
	done
	fail "the calls' time with $1 threads is not the program's"
}

# explained POINTS THREADS COMMAND...: the share of calls and that of samples in matrix work differ by at most POINTS. Threads
# spin for each other, but not for long, as for one that has no CPU.
explained()
{
	points=$1 count=$2
	shift 2
	rm -f "$work/samples.db"
	expect 0 env OMP_NUM_THREADS="$count" GOMP_SPINCOUNT=10000 "$blasprof" -q -F 3989 -i samples.db -- "$@"
	calls_explain samples.db "$points"
}

for threads in 1 2; do
	expect 0 env OMP_NUM_THREADS=$threads OMP_WAIT_POLICY=passive DNNL_VERBOSE=1 "$blasprof" -q -F 0 -i $threads.db -- "$program" 10 $bf16
	verbose >"$work/wanted"
	counted $threads.db >"$work/found"
	[ -s "$work/wanted" ] || fail "oneDNN did not say what it executed"
	diff "$work/wanted" "$work/found" || fail "with $threads threads, oneDNN counts <, blasprof >"
	units >"$work/wanted"
	"$SQLITE3" -separator ' ' "$work/$threads.db" "SELECT routine, type, max(unit) FROM shapes WHERE unit GROUP BY 1, 2 ORDER BY 1, 2" >"$work/found"
	diff "$work/wanted" "$work/found" || fail "by the names of oneDNN's implementations units are <, by blasprof >"
	# The metadata that newer versions report to ITT gives the same shapes, except for RNNs and runtime dimensions.
	sed -n 's/^onednn_verbose,exec,\(cpu,.*\),[^,]*$/\1/p' "$work/out" | grep -E '^cpu,(matmul|inner_product|convolution|deconvolution),' |
		grep -v ',\*' >"$work/said"
	products="SELECT routine, type, m, n, k, sum(flops) / sum(calls), sum(bytes) / sum(calls), max(unit), sum(calls)"
	"$SQLITE3" "$work/$threads.db" "$products FROM shapes WHERE routine != 'onednn_rnn' AND m != 96 GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5" >"$work/wanted"
	expect 0 "$blasprof" -q -F 0 -i said$threads.db -- "$PWD/tests/shim/itt" 1 said
	"$SQLITE3" "$work/said$threads.db" "$products / 2 FROM shapes WHERE type != 'u' GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5" >"$work/found"
	diff "$work/wanted" "$work/found" || fail "shapes by oneDNN's words are >, by its queries <"
	times_agree $threads
	both_ways $threads 10 1
	verbose | awk '{ calls[$1] += $3 / 2 } END { for (i in calls) print "onednn_" i, calls[i], calls[i] }' | sort >"$work/wanted"
	"$SQLITE3" -separator ' ' "$work/ways.db" "SELECT routine, sum(calls * (type = 'u')), sum(calls * (type != 'u'))
		FROM shapes GROUP BY 1 ORDER BY 1" >"$work/found"
	diff "$work/wanted" "$work/found" || fail "with $threads threads, oneDNN counts <, ITT and interception >"
done

# Without shapes, the work is counted in calls.
prints '^work  *counted in calls' report --full -i ways.db
expect_says out 'the flops of .* oneDNN before 3.11 inside another '
column shapes m -i ways.db >"$work/rows"
column shapes gflops -i ways.db | paste "$work/rows" - | awk -F '\t' '($1 == 0) != ($2 == "") { exit 1 }' ||
	fail "a rate of flops that are not known, or none of those that are"

# Another tool's collector is not replaced, and blasprof collects nothing.
expect 0 env INTEL_LIBITTNOTIFY64=/nowhere.so "$blasprof" -q -F 0 -i other.db -- \
	sh -c 'echo "$INTEL_LIBITTNOTIFY64"; "$@"' sh "$program" 1 hidden
[ "$(sed 1q "$work/out")" = /nowhere.so ] || fail "another collector was replaced: $(cat "$work/out")"
selects other.db "SELECT count(*), (SELECT count(*) FROM notes WHERE code = 'other_collector') FROM shapes WHERE type = 'u'" '0|1' \
	"what is collected for another tool, and what says so"

# The equivalent products, with flops and bytes of one call, computed by hand. The convolution has 2 groups, and its
# gradient the same product. The second RNN is a backward pass through 2 layers, with two products each.
"$SQLITE3" -separator ' ' "$work/1.db" "SELECT routine, transa, m, n, k, sum(calls), sum(flops) / sum(calls),
	sum(bytes) / sum(calls) FROM shapes WHERE type = 's' GROUP BY routine, m, n, k ORDER BY routine, m, k" >"$work/found"
cat >"$work/wanted" <<END
onednn_convolution - 880 8 36 20 1013760.0 86784.0
onednn_deconvolution - 220 32 16 10 225280.0 44288.0
onednn_inner_product - 64 100 288 10 3686400.0 214528.0
onednn_matmul - 40 8 8 10 5120.0 2816.0
onednn_matmul - 40 8 24 10 15360.0 5888.0
onednn_matmul - 96 32 64 30 393216.0 45056.0
onednn_matmul - 300 400 500 10 240000000.0 3760000.0
onednn_rnn - 12 16 32 10 49152.0 5632.0
onednn_rnn - 35 80 32 10 179200.0 14720.0
END
diff "$work/wanted" "$work/found" || fail "shapes that are wanted are <, those found >"

prints 'oneDNN [0-9.]*,' report --full -i 1.db
expect_says out '^onednn_matmul .* 300 *400 *500 *fp32 '
[ -z "$bf16" ] || expect_says out '^onednn_matmul .* 300 *400 *500 *bf16 '
column shapes way -i 1.db | sort -u >"$work/ways"
[ "$(cat "$work/ways")" = onednn ] || fail "the report's ways are $(cat "$work/ways")"

# Debian's PyTorch calls the shared library.
python=$(command -v /usr/bin/python3) && "$python" -c '
import importlib.util, sys
sys.exit(not importlib.util.find_spec("torch"))' || python=
if [ -n "$python" ]; then
	cat >"$work/products.py" <<-END
		import torch
		torch.set_num_threads(2)
		matrix, layer = torch.randn(64, 64), torch.nn.Conv2d(8, 8, 3)
		with torch.no_grad():
		    for i in range(10):
		        matrix.bfloat16() @ matrix.bfloat16()
		        matrix @ matrix
		        layer(torch.randn(2, 8, 16, 16))
	END
	expect 0 env DNNL_VERBOSE=1 "$blasprof" -q -F 0 -i torch.db -- "$python" "$work/products.py"
	verbose >"$work/wanted"
	counted torch.db >"$work/found"
	grep -q '^convolution fp32 10$' "$work/wanted" || fail "PyTorch used oneDNN for other than $(cat "$work/wanted")"
	diff "$work/wanted" "$work/found" || fail "with PyTorch, oneDNN counts <, blasprof >"
fi

# The code of kernels tells the type of numbers of calls by ITT: of all calls if all kernels have the same type.
if grep -q "^flags.* fma" /proc/cpuinfo; then
	expect 0 env OMP_NUM_THREADS=1 "$blasprof" -q -F 0 -i alike.db -- "$program" 1 hidden
	selects alike.db "SELECT group_concat(DISTINCT kernel_type) FROM shapes WHERE type = 'u'" s "what calls by ITT multiply, by the kernels"
	column shapes precision -i alike.db | sort -u | grep -q -v '^fp32$' && fail "the report has other numbers than fp32"
fi
may_sample || finish

if [ -n "$python" ] && [ "$(uname -m)" = x86_64 ]; then
	# Half of these operations multiply nothing. Time in the kernel, such as for memory, is only in the f of calls, so memory
	# is kept; and oneDNN's time to create primitives, some 10 us each, is only in that of samples, so products are large. The
	# sizes are random, so that periodic samples do not always hit the same operation.
	cat >"$work/mixed.py" <<-END
		import random, time, torch
		torch.set_num_threads(1)
		matrices = [torch.randn(320 + 8 * i, 320 + 8 * i).bfloat16() for i in range(4)]
		layers = torch.nn.Sequential(torch.nn.Conv2d(8, 8, 3), torch.nn.ReLU())
		end = time.process_time() + 2
		with torch.no_grad():
		    while time.process_time() < end:
		        matrix = random.choice(matrices)
		        torch.nn.functional.gelu(matrix @ matrix)
		        layers(torch.randn(random.randrange(1, 4), 8, 64, 64))
	END
	explained 2 1 env MALLOC_MMAP_THRESHOLD_=1000000000 MALLOC_TRIM_THRESHOLD_=1000000000 "$python" "$work/mixed.py" || fail "calls do not explain the samples in PyTorch's matrix work"
	column functions function -i samples.db >"$work/functions"
	column functions code -i samples.db | paste "$work/functions" - >"$work/codes"
	grep -q '^_*jit_.*	blas$' "$work/codes" || fail "kernels have no names"
	grep '^jit_uni_kernel[[	]' "$work/codes" | grep -q blas && fail "an activation function counts as matrix work"
fi

# Code that oneDNN generated, also in threads of its pool, is matrix work. Where a thread of the activation function spins for
# another that has no CPU, samples take that for matrix work as well, so that two threads do without.
for threads in 1 2; do
	what=plain
	[ "$threads" = 1 ] || what=plain,products
	explained 2 $threads "$program" 40 "$bf16$what" || fail "calls do not explain the samples in matrix work of $threads threads"
	selects samples.db "SELECT sum(samples_blas) > 4 * sum(samples_other) FROM threads" 1 "samples in oneDNN's kernels are matrix work"
done

# Otherwise it tells that of sampled calls.
if [ -n "$bf16" ]; then
	expect 0 env OMP_NUM_THREADS=1 "$blasprof" -q -F 3989 --timeline -i units.db -- "$program" 200 ${bf16}hidden
	selects units.db "SELECT count(*) FROM shapes WHERE type = 'u' AND samples_callers > 20 AND kernel_type NOT IN ('s', 'b')" 0 \
		"calls by ITT of which sampled kernels do not tell what they multiply"
	selects units.db "SELECT min(samples_callers) > 0 FROM shapes WHERE m = 300" 1 "calls that differ in their numbers only have own samples"
fi
finish
