#!/bin/sh
# onnx-test.sh: the matrix work of ONNX Runtime, which has no symbols, is recognised by its loops and agrees with its own profile.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

cp "$srcdir/tests/clients/onnx.js" "$work"
# its install script would download libraries for GPUs
if ! (cd "$work" && npm install --ignore-scripts --no-audit --no-fund onnxruntime-node) >"$work/npm.log" 2>&1; then
	cat "$work/npm.log"
	echo "SKIP: npm cannot bring in onnxruntime-node"
	exit 77
fi
# Waiting for a CPU is part of random nodes of ONNX Runtime's profile: three runs of some seconds each.
own="0 0"
for run in 1 2 3; do
	expect 0 "$blasprof" --full --roi=process -F 997 -i onnx.db -- node onnx.js 30 1
	own=$(tail -n 1 "$work/out" | awk -v own="$own" '{ split(own, sum); print sum[1] + $1, sum[2] + $2 }')
done
may_sample || exit 77
expect_says err 'by samples 100 % (libonnxruntime'
echo "$own $(column threads f_sampled -i onnx.db)" | awk '{
	printf "products take %.1f %% of the CPU time; by samples %.1f %%\n", 100 * $1 / $2, 100 * $3
	exit !(($1 / $2 - $3) ^ 2 <= 0.03 ^ 2)
}' || fail "the shares differ by more than 3 points"
finish
