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

# interval: of numbers on standard input, one a line: the median and its 95 % interval, by order statistics: the
# ranks n / 2 -+ 0.98 sqrt(n).
interval()
{
	sort -g | awk '{ x[NR] = $1 }
		END {
			reach = 0.98 * sqrt(NR)
			reach = reach > int(reach) ? int(reach) + 1 : reach
			low = int((NR + 1) / 2) - reach
			high = int(NR / 2) + 1 + reach
			low = low < 1 ? 1 : low
			high = NR < high ? NR : high
			print (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2, x[low], x[high]
		}'
}

# columns FILE NAME...: these columns of a file that workloads/ceilings printed, of the cells that are ok.
columns()
{
	file=$1
	shift
	awk -F, -v names="$*" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; many = split(names, name, " "); next }
		$at["status"] == "ok" { for (i = 1; i <= many; i++) printf "%s%s", $at[name[i]], i < many ? " " : "\n" }' "$file"
}
