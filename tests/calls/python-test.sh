#!/bin/sh
# python-test.sh: in a Python program, callers are its own functions and lines, for every installed CPython.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
command -v sqlite3 >/dev/null || exit 77
library=$(ldd "$train" | awk '/blas/ { print $3; exit }')
export OPENBLAS_NUM_THREADS=1

mkdir -p "$work/site-packages"
cat >"$work/site-packages/layers.py" <<'END'
def apply(call, times):
    for _ in range(times):
        call()


class Layer:
    def __call__(self, function, *rest):
        return self.run(function, *rest)

    def run(self, function, *rest):
        return function(*rest)
END

# Each line that calls BLAS ends with the name of its function, its name before 3.11, and the number of calls.
cat >"$work/sites.py" <<'END'
import ctypes
import os
import sys
import threading
from ctypes import c_double, c_int

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "site-packages"))
import layers

blas = ctypes.CDLL(sys.argv[1])
vector = (c_double * 9)()


def scale():
    blas.cblas_dscal(c_int(9), c_double(2), vector, c_int(1))  # scale scale 60


class Model:
    def forward(self, call):
        for _ in range(20):
            blas.cblas_dscal(  # Model.forward forward 40
                c_int(9),
                c_double(2),
                vector,
                c_int(1),
            )
        call(blas.cblas_dscal, c_int(9), c_double(2), vector, c_int(1))  # Model.forward forward 2

    def rest(self):
        yield 1
        blas.cblas_dscal(9, c_double(2), vector, 1); yield 2  # Model.rest rest 2
        layers.Layer()(blas.cblas_dscal, 9, c_double(2), vector, 1)  # Model.rest rest 2


def größe():
    layers.apply(scale, 30)
    return blas.cblas_dscal(9, c_double(2), vector, 1)  # größe größe 2


def each():
    [[blas.cblas_dscal(9, c_double(2), vector, 1) for x in range(5)] for y in range(2)]  # each <listcomp> 20
    return sum(blas.cblas_dscal(9, c_double(2), vector, 1) or 1 for x in range(3))  # each <genexpr> 6


def long():
    x = 0
@LONG@
    blas.cblas_dscal(9, c_double(2), vector, 1)  # long long 2


def work():
    Model().forward(layers.Layer())
    list(Model().rest())
    größe()
    each()
    long()


threads = [threading.Thread(target=work) for _ in range(2)]
for t in threads:
    t.start()
for t in threads:
    t.join()
child = os.fork()
if not child:
    blas.cblas_dscal(9, c_double(2), vector, 1)  # <module> <module> 1
    sys.exit(0)
sys.exit(os.waitpid(child, 0)[1])
END
# enough lines that line numbers and code offsets take more than a byte
awk '$0 == "@LONG@" { for (i = 0; i < 400; i++) print "    x = x * 3 + " i; next } { print }' "$work/sites.py" >"$work/long.py"
mv "$work/long.py" "$work/sites.py"

# wanted COLUMN: prints the expected callers as "function line calls".
wanted()
{
	awk -v column="$1" '/ # [^ ]+ [^ ]+ [0-9]+$/ { print (column == 1 ? $(NF - 2) : $(NF - 1)), FNR, $NF }' "$work/sites.py" | sort
}

tried=0
for python in /usr/bin/python3 /root/.pyenv/versions/3.*/bin/python3 "$HOME"/.pyenv/versions/3.*/bin/python3; do
	[ -x "$python" ] && "$python" -c 'import ctypes, threading' 2>/dev/null || continue
	minor=$("$python" -c 'import sys; print(sys.version_info[1])')
	rm -f "$work/python.db"
	expect 0 env PYTHONUTF8=1 "$blasprof" -q -F 0 --roi=process -i python.db -- "$python" "$work/sites.py" "$library"
	sqlite3 -separator ' ' "$work/python.db" 'SELECT function, line, calls, file FROM callers' >"$work/out"
	awk '{ print $1, $2, $3 }' "$work/out" | sort >"$work/seen"
	column=1
	[ "$minor" -ge 11 ] || column=2
	wanted $column >"$work/wanted"
	case $minor in
	9 | 10 | 11 | 12 | 13)
		tried=$((tried + 1))
		diff "$work/wanted" "$work/seen" || fail "$python: wanted < and seen > differ"
		grep -q "$work/sites.py" "$work/out" || fail "$python: the file is not known"
		;;
	*) # not known: the C code that calls, and nothing of Python's
		grep -q 'sites.py' "$work/out" && fail "$python: a call site in an unsupported version"
		;;
	esac
done
[ "$tried" -gt 0 ] || exit 77

# Python exits and frees its threads while one continues to call BLAS from C code: it exits as without blasprof.
cat >"$work/daemon.py" <<'END'
import ctypes, sys, threading, time
loop = ctypes.CDLL(sys.argv[1])
threading.Thread(target=loop.scale_for_ever, daemon=True).start()
while not ctypes.c_int.in_dll(loop, "called").value:
    time.sleep(0.01)
END
cat >"$work/blas.c" <<'END'
void cblas_dscal(int n, double alpha, double *x, int stride)
{
	x[0] = n * alpha * stride;
}
END
cat >"$work/loop.c" <<'END'
void cblas_dscal(int n, double alpha, double *x, int stride);
volatile int called;
void scale_for_ever(void)
{
	double x[9] = {0};

	for (;; called = 1)
		cblas_dscal(9, 2, x, 1);
}
END
if cc -shared -fPIC -o "$work/libblas.so" "$work/blas.c" && cc -shared -fPIC -o "$work/libloop.so" "$work/loop.c" "$work/libblas.so"; then
	for _ in 1 2 3 4 5; do
		expect 0 "$blasprof" -q -F 0 --roi=process -i daemon.db -- /usr/bin/python3 "$work/daemon.py" "$work/libloop.so"
	done
	expect 0 "$blasprof" report -i daemon.db --format=tsv --table=callers --columns=function,file
	# all its Python frames are in the library, so the innermost one counts
	expect_says out "^Thread.run	.*threading.py"
fi
finish
