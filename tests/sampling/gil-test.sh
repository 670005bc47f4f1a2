#!/bin/sh
# gil-test.sh: waits for the interpreter lock of CPython are recognized in every CPython on this machine, with and without symbols.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
may_sample || exit 77

cat >"$work/burn.py" <<'END'
import _thread, ctypes, sys, time
blas = ctypes.CDLL(sys.argv[1])
vector = (ctypes.c_double * 9)()
def burn():
    blas.cblas_dscal(9, ctypes.c_double(2), vector, 1)
    begun.append(0)
    while len(begun) < 4: pass  # all of them compete, however late they start
    end, x = time.process_time() + 0.4, 0
    while time.process_time() < end:
        for i in range(1000):
            x += i
    blas.cblas_dscal(9, ctypes.c_double(2), vector, 1)
    done.append(x)
begun = []
done = []  # threading.Thread has locks of its own, for which threads wait on a busy machine
for _ in range(3): _thread.start_new_thread(burn, ())
burn()  # a main thread that sleeps would be a participant if the program starts slowly
while len(done) < 4: pass
END
library=$(ldd "$train" | awk '/blas/ { print $3; exit }')
export OPENBLAS_NUM_THREADS=1
tried=0
for python in /usr/bin/python3 /root/.pyenv/versions/3.9.*/bin/python3 "$HOME"/.pyenv/versions/3.1*/bin/python3; do
	[ -x "$python" ] && "$python" -c 'import ctypes' 2>/dev/null || continue
	record_new gil.db --roi=process -- "$python" burn.py "$library"
	waits_known gil.db || exit 77
	tried=$((tried + 1))
	# Three of four threads wait for the lock at any time, except during the import and at the end.
	expect 0 "$blasprof" report -i gil.db --format=tsv --table=waits --columns=kind,role,total_ns,waits
	awk -F '\t' -v python="$python" '
		$2 == "caller" && $1 != "run queue" { all += $3 }
		$2 == "caller" && $1 == "gil" { gil += $3; waits += $4 }
		END {
			printf "%s: %.2f s blocked, %.2f s of it for the lock, in %d waits\n", python, all / 1e9, gil / 1e9, waits
			exit !(gil > 0.8 * all && waits > 20)
		}' "$work/out" || fail "$python: the waits are not for the lock: $(cat "$work/out")"
done
[ $tried -gt 0 ] || exit 77
finish
