#!/bin/sh
# python-test.sh: stacks and waits of a Python program have its functions and lines, in every CPython on this machine.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
may_sample || exit 77
library=$(ldd "$train" | awk '/blas/ { print $3; exit }')
export OPENBLAS_NUM_THREADS=1

# Each line that spends time ends with the name of its function. The program prints the share that thread_time() gives. Turns
# vary in length, so that samples do not synchronize with them.
cat >"$work/shares.py" <<'END'
import ctypes, multiprocessing, os, queue, sys, threading, time


def much(n):
    x = 0
    for i in range(n):
        x += i * i  # much
    return x


def little(n):
    x = 0
    for i in range(n):
        x ^= i << 3  # little
    return x


def run(times):
    chance = 1
    while sum(times) < float(sys.argv[2]):
        chance = (chance * 1664525 + 1013904223) % 2**32
        for function, n, at in ((much, 30000, 0), (little, 10000, 1)):
            start = time.thread_time()
            function(n + chance * n // 2**32)
            times[at] += time.thread_time() - start


def hold(lock, between, entered):
    with lock, between:
        entered.set()
        time.sleep(0.3)  # hold


def blocked_ns():
    with open("/proc/thread-self/schedstat") as file:
        ran_ns, delay_ns = map(int, file.read().split()[:2])
    return time.monotonic_ns() - ran_ns - delay_ns


def ask(lock, entered):
    entered.wait()
    begun_ns = blocked_ns()
    with lock:  # ask
        waits.append(blocked_ns() - begun_ns)
        tasks.put(0)


def claim(between, entered):
    entered.wait()
    begun_ns = blocked_ns()
    with between:  # claim
        waits.append(blocked_ns() - begun_ns)


def take():
    begun_ns = blocked_ns()
    tasks.get()  # take
    waits.append(blocked_ns() - begun_ns)


vector = (ctypes.c_double * 9)()
ctypes.CDLL(sys.argv[1]).cblas_dscal(9, ctypes.c_double(2), vector, 1)
times, lock, entered, tasks = [0, 0], threading.Lock(), threading.Event(), queue.SimpleQueue()
between = multiprocessing.Lock()
thread = threading.Thread(target=run, args=(times,))
thread.start()
thread.join()
# On a busy machine, a thread may run too late to wait for long: try again.
waits = [0]
while min(waits) < 0.2e9:
    waits = []
    entered.clear()
    threads = [
        threading.Thread(target=hold, args=(lock, between, entered)),
        threading.Thread(target=ask, args=(lock, entered)),
        threading.Thread(target=claim, args=(between, entered)),
        threading.Thread(target=take),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print("much %.4f" % (times[0] / sum(times)))
END

cat >"$work/ends.py" <<'END'
import ctypes, multiprocessing, os, sys, threading


def deep(n):
    return n and deep(n - 1) + 1


if len(sys.argv) == 3:
    sum(deep(i % 300) for i in range(3000))
    sys.exit(7)
for _ in range(300):
    thread = threading.Thread(target=deep, args=(200,))
    thread.start()
    thread.join()
fork = multiprocessing.get_context("fork")
for i in range(8):
    child = fork.Process(target=deep, args=(900,))
    child.start()
    child.join()
vector = (ctypes.c_double * 9)()
ctypes.CDLL(sys.argv[1]).cblas_dscal(9, ctypes.c_double(2), vector, 1)
os.execv(sys.executable, [sys.executable, sys.argv[0], sys.argv[1], "again"])
END

# line FUNCTION: prints the function and its line as they are in stacks.
line()
{
	echo "$1 (shares.py:$(grep -n " # $1\$" "$work/shares.py" | cut -d: -f1))"
}

# Several samples share one read of the Python frames: on a busy machine there are some 100 reads in 0.8 s of CPU time, whose
# share has a standard error of 4 points.
check_shares()
{
	much=$(awk '$1 == "much" { print $2 }' "$work/out")
	expect 0 "$blasprof" report -i python.db -f folded
	awk -v much="$much" -v much_line="$(line much)" -v little_line="$(line little)" -v python="$1" -v offs="$work/offs" '
		{ all += $NF }
		/^(Thread\.)?_bootstrap \(threading.py:[0-9]*\);.*;run \(shares.py:[0-9]*\)/ { in_run += $NF }
		/;much \(shares.py:/ { in_much += $NF }
		/;little \(shares.py:/ { in_little += $NF }
		index($0, ";" much_line) { at_much = 1 }
		index($0, ";" little_line) { at_little = 1 }
		END {
			seen = in_much / (in_much + in_little + !in_run)
			off = seen - much
			printf "%s: %d of %d samples in run(), %.1f %% of these in much(), %+.1f points off its clock\n",
				python, in_run, all, 100 * seen, 100 * off
			print off, in_run, in_much + in_little >>offs
			exit !(in_run > 0.6 * all && in_much + in_little > 0.6 * in_run && at_much && at_little && off > -0.2 && off < 0.2)
		}' "$work/out" || {
		fail "$1: the shares are not those that the program measures"
		show_output
	}
}

check_waits()
{
	expect 0 "$blasprof" report -i python.db --format=tsv --table=waits --columns=kind,caller,file,line,longest_ns
	for wait in sleep:hold mutex:ask mutex:claim condition:take; do
		at=$(grep -n " # ${wait#*:}\$" "$work/shares.py" | cut -d: -f1)
		awk -F '\t' -v kind="${wait%:*}" -v caller="${wait#*:}" -v line="$at" '
			$1 == kind && $2 == caller && $3 ~ /shares.py$/ && $4 == line && $5 > 0.1e9 { found = 1 }
			END { exit !found }' "$work/out" && continue
		fail "$1: no wait of ${wait#*:}() in line $at"
		show_output
	done
}

pythons=
for python in /usr/bin/python3 "$HOME"/.pyenv/versions/3.*/bin/python3; do
	[ ! -x "$python" ] || ! "$python" -c 'import ctypes, sys; sys.exit(not (3, 9) <= sys.version_info < (3, 14))' 2>/dev/null ||
		pythons="$pythons $python"
done
[ -n "$pythons" ] || exit 77
# shellcheck disable=SC2086 # words
seconds=$(printf '%s\n' $pythons | awk 'END { print NR < 3 ? 2.4 / NR : 0.8 }')
for python in $pythons; do
	record_new python.db -F 999 --roi=process -- "$python" shares.py "$library" "$seconds"
	check_shares "$python"
	! waits_known python.db || check_waits "$python"
	# threads and processes that start and end, and an exec of the interpreter
	expect 7 "$blasprof" -q -F 999 --roi=process -i ends.db -- "$python" ends.py "$library"
done
awk '{ sum += $1; in_run += $2; named += $3 }
	END {
		off = sum / NR
		printf "all: %+.1f points off, %.1f %% in much() and little()\n", 100 * off, 100 * named / in_run
		exit !(off > -0.1 && off < 0.1 && named > 0.8 * in_run)
	}' "$work/offs" ||
	fail "the shares are not those that the programs measure"
finish
