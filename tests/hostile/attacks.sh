# attacks.sh: unusual programs and surroundings, one in each row, with the calls that must be counted; hostile-test.sh runs them.
# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2016,SC2034,SC2154 # hostile-test.sh evaluates the words and sets the variables
#
# attack NAME NEEDS BUILD WORDS HOLDS
# In all rows the output and the exit status must be the same as without blasprof. HOLDS is `exact' if each call of the
# program must be counted; or a number of calls; or `partly TEXT' if some calls are missing and the report says TEXT; or
# `says TEXT' if no call is counted. WORDS are the command; @ in it is replaced by blasprof (which is the first word if
# there is no @). "$way NAME" runs that way of hostile.c.

file='"$work/counted"'
way="\"\$hostile\" $file"
calls="\"\$here/calls.c\""

library="\$CC -shared -fPIC -DPLUGIN -o libcalls.so $calls \"\$blas\" -Wl,-rpath,\"\$shim_tests/.libs\""
versions="printf 'OLD { };\nNEW { } OLD;\n' >map &&
	\$CC -shared -fPIC -DVERSIONS -Wl,--version-script=map,-soname,libversions.so -o libversions.so $calls"

loader=/lib64/ld-linux-x86-64.so.2
asan=$(gcc -print-file-name=libasan.so)

unreachable='partly could no longer reach the session directory'

speed=quick
# processes and threads
for name in clone clone3 clonevm clonevfork vfork vforkexec spawn execthread chain forkthread listfork list children daemon \
	memory objects keys cancel coroutines smallstack; do
	attack $name '' '' "$way $name" exact
done
# a daemon is only waited for if it has a library with a name of a BLAS
attack daemonize '' 'cp "$blas" libblas.so' "sh -c 'LD_PRELOAD=\$LD_PRELOAD:./libblas.so exec \"\$@\"' - $way daemonize" 21
attack jit x86_64 '' "$way jit" exact
# ThreadSanitizer's own thread stays if the main thread ends before the others
attack mainexit '!__tsan_init' '' "$way mainexit" exact
# signals and program ends; descriptors and limits; restrictions
for name in sigstack sigmalloc timer blocked deathsig atexit quick terminated overflow traced \
	closefds closeall fds300 fdsfull fdsfulllater nonblock locked renamed seccompperf seccompzero seccompcode dumpable; do
	attack $name '' '' "$way $name" exact
done
# such threads end a program under ThreadSanitizer even without blasprof
attack notified '!__tsan_init' '' "$way notified" exact
attack closed '' '' "sh -c 'exec \"\$@\" <&- >&- 2>&-' - $way all" exact
# systemd names the process for which its sockets are
for variable in LISTEN_PID WATCHDOG_PID SYSTEMD_EXEC_PID; do
	attack $variable '' '' "sh -c '$variable=\$\$ exec \"\$@\"' - @ sh -c 'test \$$variable = \$\$ && exec \"\$@\"' - $way all" exact
done
# the limit is too small for the memory of sanitizers
attack limited '!__tsan_init !__asan_init' '' "$way limited" exact
attack memorylimit '!__tsan_init !__asan_init' '' "$way memorylimit" 'partly no memory could be mapped for'
attack limits '' '' "$way limits" 'partly limit of file sizes'
attack limited-outside prlimit '' "prlimit --nofile=16 --core=0 --memlock=0 @ $way all" exact
attack inherited 'env nice setpriv' '' \
	"env --ignore-signal=CHLD,PIPE,INT --block-signal=USR1,PROF nice -n 3 setpriv --no-new-privs @ $way inherited" exact
attack keeps '' '' "$way keeps @ $way inherited" exact
# who writes to a pipe waits for the command, which is told its name, to open it
attack fifo '' 'rm -f fifo && mkfifo fifo' "sh -c 'echo word >fifo & exec \"\$@\"' - @ timeout 60 cat fifo" 0
attack deleted '' '' "sh -c 'cp \"\$1\" x && shift && exec ./x \"\$@\"' - $way deleted" exact
# restrictions
for name in seccomp seccompkill seccompstack seccompbits seccompeach seccompcall; do
	attack $name '' '' "$way $name" "$unreachable"
done
# ThreadSanitizer's start is killed, too
attack seccompexec '!__tsan_init' '' "$way seccompexec" "$unreachable"
attack seccompunseen perf '' "$way seccompunseen" 1
attack seccompunseen '' '' "$way docker @ $way seccompunseen" 1
attack docker-twice '' '' "$way docker @ $way docker $way all" exact
attack docker '' '' "$way docker @ $way all" exact
attack docker-shm 'namespaces' '' \
	"unshare -Urm sh -c 'mount -t tmpfs -o size=64m none /dev/shm && unset BLASPROF_TMPDIR && exec \"\$@\"' - $way docker @ $way shm" exact
# its own file system hides the session from the program; one with a BLAS lives long enough to be seen
beside attack own-shm namespaces 'cp "$blas" libblas.so && mkdir -p own' \
	"env BLASPROF_TMPDIR=\"\$work/own\" @ unshare -Urm sh -c 'mount -t tmpfs none own; [ -z \"\$BLASPROF_SESSION\" ] || LD_PRELOAD=\$LD_PRELOAD:./libblas.so sleep 3; exec \"\$@\"' - $way all" \
	'says does not see the session directory'
attack counter x86_64 '' "$way counter" 'partly some calls were not recorded'
attack namespaces namespaces '' "$way namespaces" exact
attack clonepid root '' "$way clonepid" exact
attack first namespaces '' "unshare -Urpf --mount-proc @ $way inherited" exact
attack first-program namespaces '' "@ unshare -Urpf --mount-proc $way all" exact
attack no-proc namespaces '' "unshare -Urm sh -c 'umount -l /proc; exec \"\$@\"' - @ $way all" exact
attack seteuid root '' "$way seteuid" exact
attack setuid root '' "$way setuid" "$unreachable"
attack setuidchild root '' "$way setuidchild" "$unreachable"
# another user's program lives long enough to be seen (libcap calls ThreadSanitizer before that has started, and dies)
beside attack setuid-exec '!__tsan_init root setpriv' 'chmod 755 . && cp "$blas" libblas.so' \
	"setpriv --reuid=65534 --regid=65534 --clear-groups sh -c 'LD_PRELOAD=\$LD_PRELOAD:./libblas.so exec sleep 3'" \
	"says is another user's"
# a loader that cannot find the preload library says so, also one of another user who may not open it
attack unreadable '!__tsan_init !__asan_init root setpriv' \
	'mkdir -m 700 private && cp "$shim_tests/../../.libs/libblasprof.so" private' \
	"sh -c 'LD_PRELOAD=\${LD_PRELOAD:+\$PWD/private/libblasprof.so} exec setpriv --reuid=65534 --clear-groups echo'" 0
attack unreadable-file '!__tsan_init !__asan_init root setpriv' \
	'mkdir -m 755 public && cp "$shim_tests/../../.libs/libblasprof.so" public && chmod 600 public/*' \
	"sh -c 'LD_PRELOAD=\${LD_PRELOAD:+\$PWD/public/libblasprof.so} exec setpriv --reuid=65534 --clear-groups echo'" 0
# it has copied its environment before it becomes another user
attack unreadable-env '!__tsan_init !__asan_init root compiler' \
	"mkdir -p -m 700 private && cp \"\$shim_tests/../../.libs/libblasprof.so\" private && printf '%s\\n' '#include <string.h>' '#include <unistd.h>' \
		'int main(int n, char **v, char **old) { char *new[999] = {0}; for (int i = 0; i < 998 && old[i]; i++) new[i] = strdup(old[i]);' \
		'return setuid(65534) || execve(v[1], v + 1, new); }' >copies.c && \$CC -o copies copies.c" \
	"sh -c 'LD_PRELOAD=\${LD_PRELOAD:+\$PWD/private/libblasprof.so} exec ./copies /bin/echo'" 0
root="\$CC -DOWN -o calls $calls -lpthread && for file in \$(ldd calls | grep -o '/[^ ]*'); do
		mkdir -p \"root\${file%/*}\" && cp \"\$file\" \"root\$file\" || exit; done && mkdir -p root/old && cp calls root"
attack chroot-exec 'root compiler' "$root" 'chroot root /calls' 0
attack moveroot 'root mounts compiler' "$root" "$way moveroot" 1
attack joinroot 'root mounts compiler' "$root" "$way joinroot" 1
attack chroot root '' "$way chroot" "$unreachable"
attack returns root '' "$way returns" exact
# the loader
attack bind-now env '' "env LD_BIND_NOW=1 @ $way all" exact
attack no-aslr setarch '' "setarch -R @ $way all" exact
attack deepbind compiler "\$CC -shared -fPIC -DPLUGIN -o plugin.so $calls \"\$blas\"" "$way deepbind ./plugin.so" '20 opened with RTLD_DEEPBIND or dlmopen'
attack dlmopen compiler "\$CC -shared -fPIC -DPLUGIN -o plugin.so $calls \"\$blas\" -Wl,-rpath,\"\$shim_tests/.libs\"" \
	"$way dlmopen ./plugin.so" '30 opened with RTLD_DEEPBIND or dlmopen'
# each of the constructors waits for a thread, while dlopen() holds the loader's lock, that calls the BLAS of its library;
# the third one's is found breadth first. The first object is opened globally: one that then serves all, or one without BLAS
for open in 'LOCAL -DINDIRECT' 'GLOBAL'; do
	flag=${open%% *} kind=${open#"$flag"}
	for first in '' './empty.so '; do
		attack several compiler "\$CC -D'OPENS=i > 1 ? RTLD_LOCAL : RTLD_$flag' -o opens $calls && own=-Wl,-Bsymbolic-functions &&
			plugin=\"\$CC -shared -fPIC -Wl,--no-as-needed,-rpath,. -o\" && \$plugin libone.so -DPLUGIN -DOWN=1$kind $calls && \$plugin libtwo.so -DPLUGIN -DOWN=2$kind $calls &&
			echo >empty.c && \$plugin libfar.so empty.c ./libone.so && \$plugin empty.so empty.c &&
			\$plugin one.so -DBEGINS \$own $calls ./libone.so && \$plugin two.so -DBEGINS \$own $calls ./libtwo.so &&
			\$plugin far.so -DBEGINS \$own $calls ./libfar.so ./libtwo.so" "./opens $first./one.so ./two.so ./far.so" 303
	done
done
# the constructor of a library does the same, and its BLAS has the file name of another one that was opened
attack same-names compiler "\$CC -DOPENS=RTLD_LOCAL -o opens $calls && mkdir -p 1 2 && plugin=\"\$CC -shared -fPIC -Wl,-Bsymbolic-functions -o\" &&
	for i in 1 2; do \$plugin \$i/libown.so -Wl,-soname,libown.so -DPLUGIN -DOWN=\$i $calls || exit; done &&
	\$plugin begins.so -DBEGINS $calls 1/libown.so" './opens 1/libown.so 2/libown.so ./begins.so' 103
# a call through a function that was looked up reaches the library of the look-up, and does not keep it loaded
attack looked-up compiler "\$CC -DOPENS=RTLD_GLOBAL -o opens $calls &&
	plugin=\"\$CC -shared -fPIC -Wl,-Bsymbolic-functions -DPLUGIN\" && \$plugin -DOWN=1 -o one.so $calls &&
	\$plugin -DOWN=2 -o two.so $calls && \$plugin -DOWN=3 -o three.so $calls" \
	'./opens ./one.so ./two.so ./three.so' 3
attack listfork compiler 'echo >empty.c && $CC -shared -fPIC -o empty.so empty.c' "$way listfork ./empty.so" exact
attack listfork compiler 'echo >empty.c && $CC -shared -fPIC -o empty.so empty.c' "env -u BLASPROF_SESSION $way listfork ./empty.so" 0
# each child makes its first call after it was forked while another thread unloads a library, in a program without a session
attack closefork compiler "plugin='-shared -fPIC' && echo >empty.c && \$CC \$plugin -o empty.so empty.c &&
	\$CC \$plugin -DPLUGIN -DOWN=1 -o one.so $calls && printf '%s\n' '#include <dlfcn.h>' '#include <pthread.h>' \
		'#include <signal.h>' '#include <sys/wait.h>' '#include <unistd.h>' \
		'static void *close_all(void *path) { for (;;) dlclose(dlopen(path, RTLD_NOW)); return path; }' 'int main(void) {' \
		'	void (*hundred)(void) = dlsym(dlopen(\"./one.so\", RTLD_NOW), \"hundred\");' '	pthread_t thread;' \
		'	pthread_create(&thread, NULL, close_all, \"./empty.so\");' '	for (int i = 0; i < 500; i++) {' \
		'		int tries = 30000, child = fork();' '		if (!child) { hundred(); _exit(0); }' \
		'		while (!waitpid(child, NULL, WNOHANG) && tries--) usleep(1000);' \
		'		if (tries < 0) return kill(child, SIGKILL), 1; }' '	return 0; }' >forks.c && \$CC -o forks forks.c -lpthread" \
	'env -u BLASPROF_SESSION ./forks' 0
# the first call is made on a small stack with a guard page, by one of two libraries with a BLAS
attack small-fibre 'compiler x86_64' "plugin='-shared -fPIC -DPLUGIN -Wl,-z,now,--no-as-needed' && \$CC \$plugin -DOWN=1 -o one.so $calls &&
	\$CC \$plugin -DOWN=2 -o two.so $calls ./one.so &&
	printf '%s\n' '#include <dlfcn.h>' '#include <sys/mman.h>' '#include <ucontext.h>' 'int main(void) {' \
		'	char *pages = mmap(0, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);' '	ucontext_t here, fibre;' \
		'	if (mprotect(pages + 4096, 4096, PROT_READ | PROT_WRITE) || getcontext(&fibre)) return 2;' \
		'	fibre.uc_stack.ss_sp = pages + 4096; fibre.uc_stack.ss_size = 4096; fibre.uc_link = &here;' \
		'	makecontext(&fibre, (void (*)(void))dlsym(dlopen(\"./two.so\", RTLD_NOW), \"hundred\"), 0);' \
		'	return swapcontext(&here, &fibre) + 6; }' >fibre.c && \$CC -Wl,-z,now -o fibre fibre.c" ./fibre 100
# a library calls the BLAS that the one which loaded it is linked with, also after another one was opened globally, and after
# all were unloaded and loaded again; RTLD_DEFAULT finds that, too, unless a global one has it
for global in '' ' ./empty.so' ' ./three.so many'; do
	attack scopes compiler "plugin=\"\$CC -shared -fPIC -Wl,--no-as-needed,-rpath,. -o\" && blas='double cblas_dnrm2(int n, double *x, int incx)' &&
		echo \"\$blas { return VALUE; }\" >blas.c && echo >empty.c && printf '%s\n' '#define _GNU_SOURCE' '#include <dlfcn.h>' \
			'#include <stdio.h>' \"\$blas;\" 'void many(int n) { double x = 0; while (n--) printf(\"%g, %g\\n\", cblas_dnrm2(1, &x, 1),' \
			'((double (*)(int, double *, int))dlsym(RTLD_DEFAULT, \"cblas_dnrm2\"))(1, &x, 1)); }' >calls.c &&
		\$plugin one.so -DVALUE=1 blas.c && \$plugin two.so -DVALUE=2 blas.c && \$plugin three.so -DVALUE=3 blas.c &&
		\$plugin inner.so calls.c ./two.so && \$plugin outer.so empty.c ./inner.so ./one.so && \$plugin empty.so empty.c" \
		"\"\$shim_tests/loads\" 3 10 ./outer.so many$global" 60
done
# a library with its own BLAS is unloaded, although one that it is linked with is bound to that
attack linked-close compiler "plugin=\"\$CC -shared -fPIC -Wl,--no-as-needed,-rpath,. -o\" &&
	\$plugin leaf.so -DPLUGIN $calls && \$plugin root.so -DPLUGIN -DOWN $calls ./leaf.so" \
	"\"\$shim_tests/loads\" 2 10 ./root.so hundred" 200
# at the end of the process, a destructor calls dlclose() after that of the library with the BLAS, which must not begin again
attack exit-close compiler "plugin=\"\$CC -shared -fPIC -Wl,--no-as-needed,-rpath,. -o\" && blas='double cblas_dnrm2(int n, double *x, int incx)' &&
	echo \"#include <stdlib.h>
		static int begun; __attribute__((constructor)) static void begin(void) { begun++ ? abort() : (void)0; }
		\$blas { return 1; }\" >blas.c &&
	echo '#include <dlfcn.h>
		static void *own; __attribute__((constructor)) static void begin(void) { own = dlopen(\"libm.so.6\", RTLD_LAZY); }
		__attribute__((destructor)) static void end(void) { dlclose(own); }' >late.c &&
	echo \"\$blas; void many(void) { double x = 0; for (int i = 0; i < 20; i++) cblas_dnrm2(1, &x, 1); }\" >calls.c &&
	echo '#include <dlfcn.h>
		int main(void) { ((void (*)(void))dlsym(dlopen(\"./calls.so\", RTLD_LAZY), \"many\"))(); return 0; }' >opens.c &&
	\$plugin late.so late.c && \$plugin blas.so blas.c ./late.so && \$plugin calls.so calls.c ./blas.so && \$CC -o opens opens.c" \
	"./opens" 20
# the program unloads the Python interpreter
attack python-close compiler "printf '%s\n' 'int _PyRuntime; const char *Py_GetVersion(void) { return \"3.11.2\"; }' \
		'int Py_IsInitialized(void) { return 0; } void *PyGILState_GetThisThreadState(void) { return 0; }' >python.c &&
	\$CC -shared -fPIC -o python.so python.c && \$CC -shared -fPIC -DPLUGIN -DOWN=1 -o one.so $calls &&
	printf '%s\n' '#include <dlfcn.h>' 'void hundred(void);' 'int main(void) { void *python = dlopen(\"./python.so\", RTLD_NOW);' \
		'	hundred(); return dlclose(python) || (hundred(), 0); }' >closes.c && \$CC -o closes closes.c ./one.so -Wl,-rpath,." ./closes 200
# the program closes a library while another one that is bound to it is open: between calls, or before the first one
for routine in MPI_Barrier mpi_barrier_ dnnl_primitive_execute; do
	for count in 10 1; do
		attack close-$routine compiler "echo 'int $routine(void *a) { return !a; }' >defines.c &&
			echo 'int $routine(void *a); void many(int n) { while (n--) $routine(0); }' >calls.c &&
			\$CC -shared -fPIC -o defines.so defines.c && \$CC -shared -fPIC -o calls.so calls.c" \
			"\"\$shim_tests/loads\" 4 $count ./calls.so many ./defines.so" 0
	done
done
# two libraries that the program opens have a oneDNN of their own
attack two-onednn compiler "names='int dnnl_primitive_execute(void *a) VALUE int dnnl_primitive_destroy(void *a) VALUE' &&
	echo \"\$names\" >defines.c && echo \"\$names int number(void) { return 10 * dnnl_primitive_execute(0) + dnnl_primitive_destroy(0); }\" >calls.c &&
	for one in 1 2; do
		\$CC -shared -fPIC -D\"VALUE={ return \$one; }\" -o defines\$one.so defines.c && \$CC -shared -fPIC '-DVALUE=;' -o \$one.so calls.c ./defines\$one.so || exit
	done &&
	printf '%s\\n' '#include <dlfcn.h>' '#include <stdio.h>' 'int main(int n, char **v) { while (*++v) printf(\"%d\\n\",' \
		'((int (*)(void))dlsym(dlopen(*v, RTLD_NOW), \"number\"))()); }' >opens.c && \$CC -o opens opens.c" './opens ./1.so ./2.so' 0
# the program's first calls are made before any library has begun
attack preinit compiler "\$CC -DBEFORE -o before $calls \"\$blas\" -Wl,-rpath,\"\$shim_tests/.libs\"" ./before \
	'200 100 calls of process'
# programs and libraries ask where the functions are whose addresses they have
where="plugin='-shared -fPIC -DPLUGIN' && echo 'int ddot_() { return 1; } int MPI_Barrier() { return 1; }' >more.c &&
	\$CC \$plugin -DOWN=1 -o one.so $calls more.c && \$CC \$plugin -DOWN=2 -o two.so $calls"
for fixed in '' '-no-pie -fno-pie'; do
	attack where compiler "$where && \$CC $fixed '-DWHERE=\"./two.so\"' -o where $calls ./one.so" ./where 2
done
attack where compiler "$where && \$CC -shared -fPIC '-DWHERE=\"./two.so\"' -o where.so $calls ./one.so -Wl,-rpath,." \
	"\"\$shim_tests/loads\" 3 2 ./where.so many" 6
# a program's own functions have names that C leaves to it, and not to the C library
attack own-names compiler "for name in stat lstat fstat fchmod symlink unlink unlinkat lseek write pwrite madvise getpid getppid \\
		geteuid getrlimit setrlimit sigaltstack sched_yield sched_getaffinity process_vm_readv secure_getenv syscall \\
		mmap munmap sysconf getauxval fstatvfs posix_fallocate clock_gettime getenv strtoul strtoull strtoll \\
		pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_once pthread_key_create pthread_setspecific \\
		pthread_sigmask sigprocmask pthread_setcancelstate pthread_setcanceltype sigfillset dl_iterate_phdr dladdr dladdr1 \\
		dlvsym dlinfo; do
			echo \"int \$name(void) { return puts(\\\"\$name\\\"); }\"; done >names.c &&
	\$CC -w -fno-builtin -include stdio.h -o names names.c $calls \"\$blas\" -Wl,-rpath,\"\$shim_tests/.libs\"" ./names 200
# a program's own malloc() and free() look up the C library's, and ask for the look-up's error, while another one is kept
attack own-malloc compiler "printf '%s\n' '#include <dlfcn.h>' '#include <stdio.h>' '#include <stdlib.h>' '#define FIND(name) \\' \
		'	static __typeof__(&name) real; \\' '	if (!real) { dlerror(); real = dlsym(RTLD_NEXT, #name); if (dlerror()) abort(); }' \
		'void *malloc(size_t bytes) { FIND(malloc) return real(bytes); }' 'void free(void *data) { FIND(free) real(data); }' \
		'__attribute__((constructor)) static void begin(void) { free(malloc(1)); dlopen(\"./none.so\", RTLD_NOW); }' \
		'__attribute__((destructor)) static void end(void) { puts(dlerror()); puts(dlerror() ? \"two\" : \"one\"); }' >malloc.c &&
	\$CC -D_GNU_SOURCE -o malloc malloc.c $calls \"\$blas\" -Wl,-rpath,\"\$shim_tests/.libs\"" ./malloc 200
attack versions compiler "$versions && \$CC -DOLD -o old $calls ./libversions.so -Wl,-rpath,. &&
	\$CC -o new $calls ./libversions.so -Wl,-rpath,." "sh -c './old; ./new'" 400
# programs at a fixed address, without an exported name, and one that also takes the function's address
attack versions-fixed compiler "$versions && \$CC -no-pie -fno-pie -DOLD -o old $calls ./libversions.so -Wl,-rpath,. &&
	\$CC -no-pie -fno-pie -DOLD -DADDRESS -o address $calls ./libversions.so -Wl,-rpath,." "sh -c './old; ./address'" 400
# a program and a plugin that were linked with a library without versions, which has two now, or only a hidden one
none="mkdir -p none && \$CC -shared -fPIC -DOWN=9 -Wl,-soname,libversions.so -o none/libversions.so $calls &&
	\$CC -o none/program $calls none/libversions.so -Wl,-rpath,. &&
	\$CC -shared -fPIC -DBEGINS -o none/plugin.so $calls none/libversions.so -Wl,-rpath,. && \$CC -DOPENS=RTLD_LOCAL -o opens $calls"
attack versions-none compiler "$versions && $none" "sh -c './none/program; ./opens none/plugin.so'" 301
attack versions-hidden compiler "$versions -DHIDDEN && $none" "sh -c './none/program; ./opens none/plugin.so'" 300
attack strict 'compiler unfiltered' "$versions && \$CC -DSTRICT -o strict $calls ./libversions.so -Wl,-rpath,." ./strict '100 101 calls of process'
# LeakSanitizer's own tracer may crash in a process with LD_AUDIT, depending on the layout of its memory.
attack audit 'compiler x86_64' "\$CC -shared -fPIC -DAUDIT -o audit.so $calls" \
	"env LD_AUDIT=./audit.so \"ASAN_OPTIONS=\$ASAN_OPTIONS:detect_leaks=0\" @ $way all" exact
attack wrap-before compiler "\$CC -shared -fPIC -DWRAP -o wrap.so $calls" "env LD_PRELOAD=./wrap.so @ $way all" exact
attack wrap-inside compiler "\$CC -shared -fPIC -DWRAP -o wrap.so $calls" \
	"sh -c 'LD_PRELOAD=./wrap.so:\$LD_PRELOAD exec \"\$@\"' - $way all" exact
attack wrap-last compiler "\$CC -shared -fPIC -DWRAP -o wrap.so $calls" \
	"sh -c 'LD_PRELOAD=\$LD_PRELOAD:./wrap.so exec \"\$@\"' - $way all" exact
attack wrap-close compiler "\$CC -shared -fPIC -DWRAP -DCLOSES -o wrap.so $calls" \
	"sh -c 'LD_PRELOAD=\$LD_PRELOAD:./wrap.so exec \"\$@\"' - \"\$shim_tests/loads\" 2 10 \"\$shim_tests/.libs/libown_blas.so\" own_call" 20
attack static compiler "\$CC -static -DOWN -o static $calls -lpthread" ./static 'says static'
attack static-pie compiler "\$CC -static-pie -fPIE -DOWN -o static-pie $calls -lpthread" ./static-pie 'says static'
attack static-child compiler "\$CC -static -DOWN -o static $calls -lpthread" "sh -c './static; exec \"\$@\"' - $way all" exact
attack static-launcher compiler "printf '#include <unistd.h>\nint main(int n, char **v) { return execvp(v[1], v + 1); }' >launcher.c &&
	\$CC -static -o launcher launcher.c" "./launcher $way keys" exact
attack loader "x86_64 $loader" '' "$loader $way keys" exact
attack asan-child "compiler $asan" "\$CC -fsanitize=address -DOWN -o asan $calls -lpthread" "sh -c './asan; exec \"\$@\"' - $way all" exact
attack musl musl-gcc "musl-gcc -DOWN -o musl $calls" ./musl 'says musl'
attack musl-child musl-gcc "musl-gcc -DOWN -o musl $calls" "sh -c './musl; exec \"\$@\"' - $way all" exact
attack narrow 'compiler /lib/ld-linux.so.2' "printf '.globl _start\n_start: mov \$1, %%eax\nmov \$5, %%ebx\nint \$0x80\n' >narrow.s &&
	\$CC -m32 -nostdlib -pie -Wl,-dynamic-linker,/lib/ld-linux.so.2 -o narrow narrow.s" \
	"sh -c './narrow; exec \"\$@\"' - $way all" exact
attack emulated 'x86_64 qemu-aarch64-static aarch64-linux-gnu-gcc' \
	"printf 'int main(void) { return 9; }' >emulated.c && aarch64-linux-gnu-gcc -o emulated emulated.c" \
	"sh -c 'qemu-aarch64-static -L /usr/aarch64-linux-gnu ./emulated; exec \"\$@\"' - $way all" exact
attack address compiler "\$CC -fsanitize=address -o address $calls \"\$blas\" -Wl,-rpath,\"\$shim_tests/.libs\"" ./address 200
attack thread compiler "\$CC -fsanitize=thread -o thread $calls \"\$blas\" -Wl,-rpath,\"\$shim_tests/.libs\"" ./thread 200
attack undefined compiler "\$CC -fsanitize=undefined -o undefined $calls \"\$blas\" -Wl,-rpath,\"\$shim_tests/.libs\"" \
	./undefined 200
# an object may be unloaded, and another one opened in its place, at any time in the search for what a call reaches
attack plugins compiler "for i in 1 2 3 4; do \$CC -shared -fPIC -DBLAS=\$i -o blas\$i.so \"\$here/plugins.c\" &&
	\$CC -shared -fPIC -DPLUGIN -o plugin\$i.so \"\$here/plugins.c\" ./blas\$i.so -Wl,-rpath,. || exit; done;
	\$CC -o plugins \"\$here/plugins.c\" -lpthread -ldl" './plugins 4 1500' 6000
# a forked child opens a plugin in the place of one that it has closed, and then another BLAS for all
attack reopened compiler "for i in 1 2; do \$CC -shared -fPIC -DBLAS=\$i -o blas\$i.so \"\$here/plugins.c\" || exit; done;
	\$CC -shared -fPIC -DPLUGIN -o plugin.so \"\$here/plugins.c\" ./blas1.so -Wl,-rpath,. &&
	printf '%s\n' '#include <dlfcn.h>' '#include <sys/wait.h>' '#include <unistd.h>' \
		'static int run(void *plugin) { return ((int (*)(void))dlsym(plugin, \"run\"))(); }' 'int main(void) {' \
		'	int status = 0; void *plugin;' '	if (fork()) return wait(&status) < 0 || status;' \
		'	run(plugin = dlopen(\"./plugin.so\", RTLD_NOW)); dlclose(plugin); plugin = dlopen(\"./plugin.so\", RTLD_NOW);' \
		'	dlopen(\"./blas2.so\", RTLD_NOW | RTLD_GLOBAL);' '	_exit(run(plugin) != 1); }' >opens.c &&
	\$CC -o opens opens.c -ldl" ./opens 2
# without a BLAS, dlclose() does not read the table of what its callers reach
attack close-cost '!__tsan_init !__asan_init compiler' "printf '%s\n' '#include <dlfcn.h>' '#include <sys/resource.h>' \
		'static long faults(void) { struct rusage usage; getrusage(RUSAGE_SELF, &usage); return usage.ru_minflt; }' 'int main(void) {' \
		'	void *one = dlopen(\"libm.so.6\", RTLD_NOW), *two = dlopen(\"libm.so.6\", RTLD_NOW); long before = faults();' \
		'	return dlclose(two) || !one || faults() - before >= 64; }' >closes.c && \$CC -o closes closes.c -ldl" ./closes 0
# f2c makes functions return double where other compilers return float
attack f2c compiler "blas='double snrm2_(int *n, float *x, int *incx)' && echo \"\$blas { return .1; }\" >blas.c &&
	echo \"int printf(const char *, ...); \$blas; int main(void) { return printf(\\\"%.17g\\\\n\\\", snrm2_(&(int){1}, 0, &(int){1})) < 0; }\" >calls.c &&
	\$CC -shared -fPIC -o libf2c_blas.so blas.c && \$CC -o calls calls.c ./libf2c_blas.so" ./calls 1
# with these features off, glibc's functions use the registers that hold the arguments
attack vectors 'compiler x86_64' "\$CC -O2 -shared -fPIC -DVECTORS -o libvectors.so $calls &&
	\$CC -O2 -DUSES_VECTORS -o vectors $calls ./libvectors.so -Wl,-rpath,." \
	"env GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW @ ./vectors" 0
floats="$versions &&
	\$CC -DFLOATS -I\"\$here/../../profiler\" -o floats $calls ./libversions.so -Wl,-rpath,. -lm -lpthread"
attack floats compiler "$floats" ./floats 20200
attack floats-trapped compiler "$floats" './floats trapped' 20200
attack fakeroot fakeroot '' "fakeroot @ $way all" exact
attack fakeroot-inside fakeroot '' "fakeroot $way all" exact

speed=slow
attack go "go $CC" "$library && cp \"\$here/calls.go\" . && GOCACHE=\"\$work/cache\" CGO_LDFLAGS=\"-L. -lcalls -Wl,-rpath,\$work\" \\
	go build -o gone calls.go" ./gone 400
attack rust "rustc $CC" "$library && rustc -o rust \"\$here/calls.rs\" -L . -l calls -C link-arg=-Wl,-rpath,\"\$work\"" ./rust 300
attack java "java javac $CC" "$library -DPLUGIN -DJNI && cp \"\$here/Calls.java\" . && javac Calls.java" \
	'java -cp "$work" Calls "$work/libcalls.so"' 300
attack strace strace '' "strace -f -o trace @ $way all" exact
attack strace-inside strace '' "strace -f -o trace $way all" exact
attack gdb gdb '' "sh -c 'gdb -q -batch -ex run --args \"\$@\" >gdb.out' - $way all" exact
