#!/bin/sh
# bundle.sh: brings in the libraries of the page by their lock file and makes its template: bundle.sh SOURCE OUTPUT.
# SPDX-License-Identifier: MIT
set -e
source=$1 output=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/blasprof-page-XXXXXX")
trap 'rm -rf "$work"' EXIT
cp "$source"/package.json "$source"/package-lock.json "$source"/*.js "$source"/*.css "$source"/page.html "$work"
npm=${NPM:-npm}
(cd "$work" && "$npm" ci --no-audit --no-fund --loglevel=error && "$npm" run --silent bundle) >&2
cat "$work/page.css" "$work/node_modules/uplot/dist/uPlot.min.css" \
	"$work/node_modules/d3-flame-graph/dist/d3-flamegraph.css" >"$work/style"
# The script must not end the element that holds it.
sed 's,</script,<\\/script,g' "$work/page.min.js" >"$work/script"
awk -v style="$work/style" -v script="$work/script" '
	function insert(name, file, at, line) {
		at = index($0, name)
		printf "%s", substr($0, 1, at - 1)
		while ((getline line < file) > 0)
			print line
		print substr($0, at + length(name))
	}
	/PAGE_STYLE<|PAGE_SCRIPT</ { insert(/PAGE_STYLE</ ? "PAGE_STYLE" : "PAGE_SCRIPT", /PAGE_STYLE</ ? style : script); next }
	{ print }' "$work/page.html" >"$output.tmp"
mv "$output.tmp" "$output"
