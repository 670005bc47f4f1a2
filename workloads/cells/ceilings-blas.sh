#!/bin/sh
# ceilings-blas.sh: measures each BLAS library of Debian's alternatives, and compares them in a table.
# SPDX-License-Identifier: MIT
#
# `make ceilings-blas' runs it in the build directory. CEILINGS_OPTIONS are options of workloads/ceilings, CEILINGS_STORE is
# the store for the suites, BLAS_FILES are the libraries (default: all alternatives).
options=${CEILINGS_OPTIONS---category=product,overhead --max-elements=263169 --limit=0.05}
store=${CEILINGS_STORE-ceilings-blas.db}
work=$(mktemp -d ./ceilings-blas-XXXXXX) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

# The folder name of an alternative, and its package.
known_libraries='openblas libopenblas0-pthread
blis libblis4-openmp
atlas libatlas3-base
blas libblas3'

alternatives()
{
	for name in $(update-alternatives --get-selections 2>/dev/null | sed -n 's/^\(libblas\.so\.3[^ ]*\) .*/\1/p'); do
		update-alternatives --list "$name"
	done
}

# kind FILE: prints the name of the library, given by its folder; openblas-pthread is openblas.
kind()
{
	basename "$(dirname "$1")" | sed 's/-.*//'
}

files=${BLAS_FILES-$(alternatives)}
echo "$known_libraries" | while read -r name package; do
	for file in $files; do
		[ "$(kind "$file")" = "$name" ] && [ -r "$file" ] && continue 2
	done
	echo "$name is not here: apt install $package"
done

# Measures one library after another.
for file in $files; do
	[ -r "$file" ] || continue
	name=$(kind "$file")
	echo "measuring $name: $file"
	# shellcheck disable=SC2086 # the options are words
	LD_PRELOAD=$file workloads/ceilings $options >"$work/$name.csv" || exit
	suite=$(./blasprof import -i "$store" "$work/$name.csv" | tee /dev/stderr | sed 's/^suite \([0-9]*\) .*/\1/')
	./blasprof report -i "$store" --suite="$suite" --format=csv --table=cells \
		--columns=kernel,m,n,k,offset_bytes,threads,cache,median_ns,gflops >"$work/rows" || exit
	sed "s/^/$name,/" "$work/rows" | sed 1d >>"$work/all"
	echo "$name" >>"$work/names"
done
[ -s "$work/all" ] || { echo "there is no BLAS library to measure" >&2; exit 1; }

echo
echo "GFLOP/s, or ns for products of 1 x 1; +: operands not aligned to 64 bytes"
tr -d '\r' <"$work/all" | awk -F, -v names="$(tr '\n' ' ' <"$work/names")" '
{
	if ($10 == "")
		next # no BLAS
	key = sprintf("%-22s %5d %5d %5d%s %7d %5s", $2, $3, $4, $5, $6 > 0 ? "+" : " ", $7, $8)
	if (!(key in seen)) {
		seen[key] = 1
		keys[++count] = key
	}
	value[key, $1] = $3 == 1 ? sprintf("%.0f ns", $9) : sprintf("%.2f", $10)
}
END {
	count_names = split(names, name, " ")
	printf "%-22s %5s %5s %5s  %7s %5s", "kernel", "m", "n", "k", "threads", "cache"
	for (i = 1; i <= count_names; i++)
		printf " %9s", name[i]
	print ""
	for (j = 1; j <= count; j++) {
		printf "%s", keys[j]
		for (i = 1; i <= count_names; i++)
			printf " %9s", (keys[j], name[i]) in value ? value[keys[j], name[i]] : "-"
		print ""
	}
}'
echo
echo "All cells are in $store, a suite for each library; blasprof compare -i $store suite:1 suite:2"
