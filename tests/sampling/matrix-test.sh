#!/bin/sh
# matrix-test.sh: matrix work outside BLAS calls is recognized by the names of its functions; if there are none, the report says so.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
may_sample || exit 77

blas_in_c
export OPENBLAS_NUM_THREADS=1

# compare: the shares of all matrix work and of its dot products are those that the program measures, within 3 points, without
# time in the kernel, as in interrupts. $work/share is that of all matrix work with such time.
compare()
{
	cp "$work/out" "$work/truth"
	expect 0 "$blasprof" report -i x.db --format=tsv --table=functions
	cp "$work/out" "$work/functions"
	awk -F '\t' -v share="$work/share" 'FILENAME ~ /truth$/ { split($0, ns, " "); dot += ns[1]; matrix += ns[2]; all += ns[3]; next }
		FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["code"] == "kernel" { kernel += $at["samples"]; next }
		{ seen += $at["samples"] }
		$at["category"] == "matrix work" { named += $at["samples"] }
		$at["code"] == "blas" { blas += $at["samples"] }
		END {
			if (seen) { f = (named + blas) / seen; part = named / seen }
			print (named + blas) / (seen + kernel + !seen) >share
			printf "%d samples: matrix work %.3f, by samples %.3f; without a BLAS name %.3f, by samples %.3f\n", seen,
				matrix / all, f, dot / all, part
			off = f - matrix / all; way = part - dot / all
			exit !(off < 0.03 && off > -0.03 && way < 0.03 && way > -0.03)
		}' "$work/truth" "$work/functions" || fail "the shares of matrix work are not those that the program measures"
}

# A program without any BLAS call has a run and a report.
record_new x.db -F 7993 -w 0 -t 2 -- "$PWD/tests/sampling/matrix" {} 0.25
compare
prints '^Matrix work: by samples 100 % (ggml_vec_dot_f32.* in matrix)' report -i x.db
prints '^2,outside-blas-symbols,.*2 threads: .* % of the work is matrix work, by samples: 0 % in BLAS calls' \
	report -i x.db --format=csv --table=causes
expect 0 "$blasprof" report -i x.db --format=csv --table=threads
awk -F, 'FILENAME ~ /share$/ { share = $1; next }
	{ sub(/\r$/, "") }
	FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ off = $at["f_sampled"] - share; exit !($at["f_intercepted"] == 0 && off < 0.02 && off > -0.02 && $at["coverage"] == 0) }' \
	"$work/share" "$work/out" || fail "f by samples is not the share of matrix work: $(cat "$work/out")"

# With BLAS calls too, the report has the shares of both.
record_new x.db -F 7993 -w 0 -t 2 -- "$PWD/tests/sampling/matrix" {} 0.25 blas
compare
prints '^Matrix work: .*by samples [1-9][0-9]* % (ggml_vec_dot_f32' report -i x.db
expect_says out '^Matrix work: .*blas [1-9][0-9]* %'

# If all matrix work is in BLAS calls, these explain the samples in it, within 2 points.
record_new x.db -F 7993 -- "$train" --steps=1000 2
calls_explain x.db 2 || fail "calls do not explain the samples in matrix work"

# Without symbols, matrix work is recognized by loops that keep sums of products in registers.
record_new x.db -F 7993 -w 0 -t 1 -- "$PWD/tests/sampling/libggml_matrix" {} 0.25 tiles
compare
prints '^Matrix work: by samples 100 % (libggml_matrix+0x[0-9a-f]*\[matmul\] in libggml_matrix)' report -i x.db
grep 'no symbols' "$work/out" && fail "a library with such loops is said to have no symbols"

# Other loops are not recognized, and the report says so.
record_new x.db -w 0 -t 1 -- "$PWD/tests/sampling/libggml_matrix" {} 0.5
prints '1 thread: .* is in libggml_matrix, which has no symbols' report -i x.db --format=csv --table=causes
prints 'warning  a library has no symbols' report -i x.db
finish
