# bench.sh: what the benchmarks share; each sources it first. Runs in the build folder.
# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034 # the variables are for the benchmarks that source this

blasprof=$PWD/blasprof
work=$(mktemp -d "$PWD/bench-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
rounds=${ROUNDS:-9}

# median FILE: of the numbers in a file, one a line.
median()
{
	sort -g "$1" | awk '{ x[NR] = $1 } END { print NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'
}

# median_interval FILE: the median, how many numbers, and between which of them in order the true median lies, 95 times in
# 100, whatever their distribution (ranks by the normal approximation of the binomial one).
median_interval()
{
	sort -g "$1" | awk '{ x[NR] = $1 } END {
		low = int(NR / 2 - 0.98 * sqrt(NR)); high = NR + 1 - (low < 1 ? 1 : low)
		m = NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2
		printf "%.3f (%.3f to %.3f; %d pairs)\n", m, x[low < 1 ? 1 : low], x[high], NR }'
}

# best FILE: the largest.
best()
{
	sort -g "$1" | tail -n 1
}

# ratio A B FORMAT
ratio()
{
	awk -v a="$1" -v b="$2" -v format="${3:-%.3f}" 'BEGIN { printf format "\n", a / b }'
}
