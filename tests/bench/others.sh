#!/bin/sh
# others.sh: the cost of a call under blasprof and under other tools, in interleaved rounds: the tables of blasprof-costs(7).
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2046,SC2183 # two figures are two words
# WAYS selects some of the functions below. PEERS='NAME=LIBRARY ...' adds preload libraries, measured by calls of the Fortran
# name, which all of them support. FlexiBLAS is measured, too, if it is installed or FLEXIBLAS_LIBRARY names its
# libflexiblas.so.
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
calls=${CALLS:-1000000}
traced=${TRACED_CALLS:-20000} # for the ways that take a thousand times longer
rounds=${ROUNDS:-7}
driver=$PWD/tests/bench/calls
library=$PWD/tests/bench/.libs/libnoop_blas.so
probes=
ways=${WAYS:-none bare blasprof unsampled record stat trace}
fortran=
flexiblas=${FLEXIBLAS_LIBRARY:-$(ldconfig -p 2>/dev/null | sed -n '/libflexiblas\.so/s/.* => //p' | head -n 1)}
if [ -z "$flexiblas" ]; then
	missing='FlexiBLAS, which is not installed (FLEXIBLAS_LIBRARY names a libflexiblas.so)'
# FlexiBLAS forwards calls to the library that does nothing, which needs all other routines for this
elif [ -e "${NETLIB-}" ] && ${CC:-cc} -shared -o "$work/backend.so" -Wl,--no-as-needed "$library" "$NETLIB"; then
	fortran='none_fortran blasprof_fortran wrapped profiled'
	hook=${flexiblas%/*}/flexiblas/libflexiblas_hook_profile.so
else
	missing='FlexiBLAS, for which the reference BLAS is needed (libblas3)'
fi
for peer in ${PEERS-}; do
	fortran="${fortran:-none_fortran blasprof_fortran} peer=$peer"
done

# Each way runs the driver: WAY THREADS.
none() { "$driver" "$1" 1 "$calls"; }
bare() { LD_PRELOAD=$PWD/tests/bench/.libs/libbare_shim.so "$driver" "$1" 1 "$calls"; }
blasprof() { "$blasprof" -q -i "$work/db" -- "$driver" "$1" 1 "$calls"; }
unsampled() { "$blasprof" -q -F 0 -i "$work/db" -- "$driver" "$1" 1 "$calls"; }
record() { perf record -q -F 99 -g -o "$work/perf.data" "$driver" "$1" 1 "$calls"; }
stat() { perf stat -o "$work/perf.stat" -e "$probes:blasprof_call" "$driver" "$1" 1 "$traced"; }
trace() { perf record -q -o "$work/perf.data" -e "$probes:blasprof_call,$probes:blasprof_return__return" "$driver" "$1" 1 "$traced"; }
none_fortran() { "$driver" "$1" 1 "$calls" fortran; }
blasprof_fortran() { "$blasprof" -q -i "$work/db" -- "$driver" "$1" 1 "$calls" fortran; }
# FlexiBLAS prints its messages to the same place as the figure.
wrapped() { FLEXIBLAS="$work/backend.so" LD_PRELOAD="$flexiblas" "$driver" "$1" 1 "$calls" fortran | grep '^[0-9.]*$'; }
profiled() { FLEXIBLAS_HOOK="$hook" FLEXIBLAS_PROFILE_FILE="$work/flexiblas" wrapped "$1"; }

# run WAY THREADS
run()
{
	case $1 in
	peer=*) LD_PRELOAD=${1##*=} "$driver" "$2" 1 "$calls" fortran ;;
	*) "$1" "$2" ;;
	esac
}

# results WAY THREADS: the name of the file with its results.
results()
{
	echo "$work/$(echo "$1" | tr -c '[:alnum:]\n' _).$2"
}

# both WAY THREADS: prints the median of its results, and the minimum, which other load affects least.
both()
{
	median "$(results "$1" "$2")"
	sort -g "$(results "$1" "$2")" | head -n 1
}

# failed WAY THREADS: a failure of another project's library is a result; any other failure ends the benchmark.
failed()
{
	case $1 in
	peer=* | wrapped | profiled) echo x >>"$(results "$1" failed)" ;;
	*)
		echo "$1 with $2 threads failed: $(cat "$work/err")"
		exit 1
		;;
	esac
}

says()
{
	case $1 in
	none) echo 'nothing | ' ;;
	bare) echo 'a bare preload library: two clock reads and a sum | counts, time' ;;
	blasprof) echo 'blasprof | counts, time, flops by shape, caller and thread; samples with call stacks' ;;
	unsampled) echo 'blasprof -F 0 | the same without samples' ;;
	record) echo 'perf record -F 99 -g | samples with call stacks; no call is counted' ;;
	stat) echo 'perf stat, uprobe | counts' ;;
	trace) echo 'perf record, uprobe and uretprobe | a trace' ;;
	none_fortran) echo 'nothing, sgemm_ | ' ;;
	blasprof_fortran) echo 'blasprof, sgemm_ | as above' ;;
	wrapped) echo 'FlexiBLAS, sgemm_ | nothing' ;;
	profiled) echo 'FlexiBLAS with its profile hook, sgemm_ | counts and time by routine' ;;
	peer=*)
		peer=${1#peer=}
		died=$(results "$1" failed)
		died=$([ ! -e "$died" ] || echo "died in $(wc -l <"$died") of $((2 * rounds)) runs")
		echo "${peer%%=*}, sgemm_ | $died"
		;;
	esac
}

remove_probes()
{
	[ -z "$probes" ] || perf probe -q -d "$probes:blasprof_*"
	rm -rf "$work"
}
if ! command -v perf >/dev/null; then
	echo "not measured: perf is not installed (Debian: linux-perf)"
	ways=${WAYS:-none bare blasprof unsampled}
elif perf probe -q -x "$library" --add blasprof_call=cblas_sgemm --add 'blasprof_return=cblas_sgemm%return' 2>"$work/err"; then
	probes=probe_libnoop_blas
	trap remove_probes EXIT
else
	echo "not measured: uprobes, which this user cannot set on this machine: $(head -n 1 "$work/err")"
	ways=${WAYS:-none bare blasprof unsampled record}
fi
round=0
while [ "$round" -lt "$rounds" ]; do
	for threads in 1 2; do
		for way in $ways $fortran; do
			run "$way" $threads >>"$(results "$way" $threads)" 2>"$work/err" || failed "$way" $threads
		done
	done
	round=$((round + 1))
done
echo "ns per call of a cblas_sgemm that does nothing, medians (and minima) of $rounds interleaved rounds of $calls calls ($traced with uprobes):"
echo "| way | 1 thread | 2 threads | what it records |"
echo "|---|---|---|---|"
for way in $ways $fortran; do
	says=$(says "$way")
	printf '| %s | %.1f (%.1f) | %.1f (%.1f) | %s |\n' "${says%% | *}" $(both "$way" 1) $(both "$way" 2) "${says#* | }"
done
[ -z "${missing-}" ] || echo "not measured: $missing"
[ -n "${PEERS-}" ] || echo "not measured: other preload libraries; PEERS='NAME=LIBRARY ...' adds some"
