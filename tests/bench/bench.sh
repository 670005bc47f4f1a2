# bench.sh: functions for the benchmarks, which source it first and run in the build folder.
# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034 # the variables are for the benchmarks that source this

blasprof=$PWD/blasprof
work=$(mktemp -d "$PWD/bench-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
rounds=${ROUNDS:-9}

# median FILE: the median of the numbers in a file, one in each line.
median()
{
	sort -g "$1" | awk '{ x[NR] = $1 } END { print NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'
}

# median_interval FILE: prints the median, its 95 % interval and the number of pairs.
median_interval()
{
	interval <"$1" | awk -v pairs="$(wc -l <"$1")" '{ printf "%.3f (%.3f to %.3f; %d pairs)\n", $1, $2, $3, pairs }'
}

# ratio A B [FORMAT]: prints A / B.
ratio()
{
	awk -v a="$1" -v b="$2" -v format="${3:-%.3f}" 'BEGIN { printf format "\n", a / b }'
}

# interval: prints the median of the numbers on standard input and its 95 % interval, by order statistics for any
# distribution: the ranks n / 2 -+ 0.98 sqrt(n), from the normal approximation of the binomial distribution.
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

# columns FILE NAME...: prints columns of the output of workloads/ceilings, for the cells that are ok.
columns()
{
	file=$1
	shift
	awk -F, -v names="$*" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; many = split(names, name, " "); next }
		$at["status"] == "ok" { for (i = 1; i <= many; i++) printf "%s%s", $at[name[i]], i < many ? " " : "\n" }' "$file"
}
