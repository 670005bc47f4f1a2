#!/bin/sh
# command-test.sh: the command's input, output, arguments, environment and exit status are not changed.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

for status in 0 1 3 125 255; do
	expect $status "$blasprof" -q -- sh -c "exit $status"
done
for signal in TERM KILL ABRT SEGV PIPE; do
	expect $((128 + $(kill -l $signal 2>/dev/null || sh -c "kill -$signal \$\$" >/dev/null 2>&1 || echo $(($? - 128))))) \
		"$blasprof" -q -- sh -c "ulimit -c 0; kill -$signal \$\$"
done

# Its parent sees the same signal, also after a report or a sweep.
if command -v python3 >"$work/out"; then
	for words in "-q" "-o report" "-q -w0 -r2"; do
		for number in 2 9 11 13 15; do
			expect 0 python3 -c 'import subprocess, sys
sys.exit(subprocess.run(sys.argv[2:]).returncode != -int(sys.argv[1]))' \
				$number "$blasprof" $words -- sh -c "ulimit -c 0; kill -$number \$\$"
		done
	done
fi

# The command has asked its parent to trace it (PTRACE_TRACEME), and stops: as in a shell.
expect 138 "$blasprof" -q -- python3 -c 'import ctypes, os, signal
ctypes.CDLL(None).ptrace(0, 0, 0, 0)
os.kill(os.getpid(), signal.SIGUSR1)'

# Options after the command's name belong to the command, with and without `--'.
prints '^<-q><--help><><a b><--><\*>$' -q -- printf '<%s>' -q --help '' 'a b' -- '*'
prints '^<-q><--help>$' -q printf '<%s>' -q --help
expect 0 "$blasprof" -q -- sh -c 'echo "$VALUE"; echo to-stderr >&2'
expect_says err '^to-stderr$'
[ "$(VALUE='x y' "$blasprof" -q -i "$work/blasprof.db" -- sh -c 'echo "$VALUE"')" = 'x y' ] || fail "the environment is lost"

head -c 300000 /dev/urandom >"$work/bytes"
"$blasprof" -q -i "$work/blasprof.db" -- cat <"$work/bytes" 2>/dev/null | cmp - "$work/bytes" || fail "bytes are lost"
# With a slow reader and O_NONBLOCK on the pipe, passing on the output waits.
python3 - "$blasprof" "$work" <<'END' || fail "a full pipe that does not wait ends the command or loses its output"
import os, subprocess, sys, time
blasprof, work = sys.argv[1:]
taken, given = os.pipe()
os.set_blocking(given, False)
command = [blasprof, "-q", "-F", "0", "-i", work + "/pipe.db", "--work=x([0-9]+)", "--", "head", "-c", "400000", "/dev/zero"]
run = subprocess.Popen(command, stdout=given)
os.close(given)
time.sleep(0.5)
count = 0
while True:
    part = os.read(taken, 65536)
    if not part:
        break
    count += len(part)
sys.exit(run.wait() != 0 or count != 400000)
END
# What a process writes that outlives the command is not lost, and blasprof does not wait for its end.
expect 0 timeout 100 "$blasprof" -q -F 0 --work='x([0-9]+)' -- sh -c '(until [ -e stop ]; do echo tick; sleep 0.1; done
	sleep 1; echo end) & echo x1'
touch "$work/stop"
eventually grep -q end "$work/out" || fail "output after the command's end is lost"
# A full disk or a closed standard output does not end the command by SIGPIPE, nor a process that outlives it.
for to in '>/dev/full' '>&-'; do
	rm -f "$work/outlived"
	expect 5 timeout 100 sh -c 'blasprof=$1
		exec "$blasprof" -q -F 0 -i full.db --work="x([0-9]+)" -- sh -c "(sleep 1; echo 1; sleep 0.5; echo 2; sleep 0.1; echo 3
			: >outlived) & echo x1; sleep 0.3; echo x2; sleep 0.3; echo x3; exit 5" '"$to" sh "$blasprof"
	eventually [ -e "$work/outlived" ] || fail "with $to, a process that outlives the command ends"
done
# Who is at the other end of the command's pipes sees when it closes them while it runs; in a sweep, in its last run.
cat >"$work/ends.py" <<'END'
import os, select, subprocess, sys
program = """echo >>runs
[ $(wc -l <runs) -ge $1 ] || exit 0
exec <&- >&- 3>&-
until [ -e go ]; do sleep 0.02; done"""
pipes = [os.pipe() for _ in range(3)]
def set_up(): # for descriptors 0, 1 and 3
    for i, end in enumerate((pipes[0][0], pipes[1][1], pipes[2][1])):
        os.dup2(end, 20 + i)
    for i, fd in enumerate((0, 1, 3)):
        os.dup2(20 + i, fd)
    os.closerange(4, 100)
for name in ("runs", "go"):
    if os.path.exists(name):
        os.unlink(name)
run = subprocess.Popen(sys.argv[2:] + ["--", "sh", "-c", program, "sh", sys.argv[1]], preexec_fn=set_up, close_fds=False)
for end in (pipes[0][0], pipes[1][1], pipes[2][1]):
    os.close(end)
late = []
for name, fd in (("input", pipes[0][1]), ("output", pipes[1][0]), ("descriptor 3", pipes[2][0])):
    poll = select.poll()
    poll.register(fd, 0) # tells of nothing but that the other end is closed
    late += [] if poll.poll(20000) else [name]
open("go", "w").close()
print("still open:", late, "status:", run.wait())
sys.exit(bool(late) or run.returncode != 0)
END
for options in 1 '1 --work=x([0-9]+)' '2 -r 2 --warmup=0 --ignore-failure'; do
	# shellcheck disable=SC2086 # several words
	set -- $options
	runs=$1
	shift
	expect 0 python3 ends.py "$runs" "$blasprof" -q -F 0 -i ends.db "$@"
done
# A lock of fcntl() that the caller leaves to the process stays until the command has ended.
cat >"$work/lock.py" <<'END'
import fcntl, os, sys
file = open("lock", "w")
os.set_inheritable(file.fileno(), True)
fcntl.lockf(file, fcntl.LOCK_EX)
os.execvp(sys.argv[1], sys.argv[1:])
END
expect 7 python3 "$work/lock.py" "$blasprof" -q -F 0 -- python3 -c 'import fcntl, time
time.sleep(0.3)
try:
    fcntl.lockf(open("lock", "w"), fcntl.LOCK_EX | fcntl.LOCK_NB)
except OSError:
    raise SystemExit(7)'
# Its own report still goes to standard output.
expect 0 "$blasprof" -F 0 -o - -- sh -c 'exec >&-; sleep 0.1'
expect_says out .
expect 0 "$blasprof" -- sh -c 'echo only-this'
[ "$(cat "$work/out")" = only-this ] || fail "blasprof writes to the command's standard output"

# A command with the name of a subcommand runs after `--'.
mkdir "$work/bin"
printf '#!/bin/sh\necho ran-as-command\n' >"$work/bin/report"
chmod +x "$work/bin/report"
expect 0 env PATH="$work/bin:$PATH" "$blasprof" -q -- report
expect_says out ran-as-command
finish
