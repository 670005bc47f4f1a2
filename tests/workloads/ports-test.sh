#!/bin/sh
# ports-test.sh: the ports to other languages give the results of the C programs, and blasprof counts their calls.
# SPDX-License-Identifier: MIT
#
# LANGUAGES: the ports to test; by default Python, with threads and with processes.
# shellcheck source=/dev/null
. "$srcdir/workloads/ports/ports.sh"
. "$srcdir/tests/common.sh"

# run OUT WORD...: runs the words with their output in the file OUT.
run()
{
	out=$1
	shift
	"$@" >"$out" 2>"$work/err" || fail "$*: status $?: $(cat "$work/err")"
}

# same_loss NAME PORT PASS: checks that the values in both outputs differ by less than 1e-4.
same_loss()
{
	a=$(value "$1" "$work/c") b=$(value "$1" "$work/port")
	awk -v a="$a" -v b="$b" 'BEGIN { exit !(a > 0 && b > 0 && a - b < 1e-4 && b - a < 1e-4) }' ||
		fail "$2 $3: $1 is ${b:-missing}, in C ${a:-missing}"
}

# compare PORT PASS THREADS STEPS OPTION...: compares the port with the C program, and the counted calls with the expected.
compare()
{
	port=$1 pass=$2 threads=$3 steps=$4
	shift 4
	rm -f "$work/db"
	run "$work/c" workloads/"$pass" "$threads" --steps "$steps" "$@"
	set_command "$port" "$pass" "$threads"
	# shellcheck disable=SC2086 # a list of words
	run "$work/port" ./blasprof -q -i "$work/db" $roi -- $command --steps "$steps" "$@"
	[ "$(head -n 1 "$work/c")" = "$(head -n 1 "$work/port")" ] ||
		fail "$port $pass: another shape: $(head -n 1 "$work/port")"
	if [ "$pass" = train ]; then
		same_loss loss-before "$port" train
		same_loss loss-after "$port" train
	else
		same_loss loss "$port" infer
	fi
	calls=$(./blasprof report -i "$work/db" -f csv --table=shapes --top=0 |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
			NR > 1 && $at["routine"] == "cblas_sgemm" { calls += $at["calls"] } END { print calls + 0 }')
	expected=$((steps * $(value sgemm-a-step "$work/port")))
	[ "$calls" -eq $expected ] || fail "$port $pass: $calls calls of cblas_sgemm, not $expected"
}

# refused PORT WORD...: checks that bad arguments give status 2 and no result.
refused()
{
	port=$1
	shift
	set_command "$port" train 1
	# shellcheck disable=SC2086
	$command "$@" >"$work/out" 2>"$work/err"
	[ $? -eq 2 ] && [ -s "$work/err" ] && [ ! -s "$work/out" ] || fail "$port takes $*"
}

tested=0
for port in ${LANGUAGES:-python processes}; do
	if ! build_port "$port"; then
		echo "$port: left out: $missing"
		continue
	fi
	tested=$((tested + 1))
	compare "$port" train 2 40 --seed 3
	compare "$port" infer 2 30
	compare "$port" train 1 12 --hidden=96 --sequence=48 --blocks=1 --experts=3 --top-k=1
	refused "$port" --steps 0
	refused "$port" --hidden=1x
	refused "$port" --top-k 9
	refused "$port" --bogus
	refused "$port" 2
	echo "$port: done"
done
[ $tested -gt 0 ] || exit 77
finish
