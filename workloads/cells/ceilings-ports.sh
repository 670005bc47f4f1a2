#!/bin/sh
# ceilings-ports.sh: the cost of a BLAS call from each language, and by the interfaces of C, as cells.
# SPDX-License-Identifier: MIT
#
# `make ceilings-ports' runs it in the build directory. LANGUAGES are the ports (default: all that are installed),
# CEILINGS_STORE is the store for the suite, CEILINGS_OPTIONS are more options of workloads/ceilings.
# shellcheck source=/dev/null
. "$srcdir/workloads/ports/ports.sh"
store=${CEILINGS_STORE-ceilings-ports.db}

set --
for port in ${LANGUAGES:-rust go python julia}; do
	if ! build_port "$port"; then
		echo "$port is left out: $missing"
		continue
	fi
	set_command "$port" call 1
	set -- "$@" "--port=$port=$command"
done
rows=$(mktemp ./ceilings-ports-XXXXXX) || exit 99
trap 'rm -f "$rows"' EXIT
trap 'exit 130' HUP INT TERM
# shellcheck disable=SC2086 # the options are words
workloads/ceilings --category=overhead --cache=warm --threads=1 ${CEILINGS_OPTIONS-} "$@" >"$rows" || exit
./blasprof import -i "$store" "$rows" || exit
./blasprof report -i "$store" --by=cell --top=0
