/* session.c: finds the profiler's session and makes this process's record file in it. */
/* SPDX-License-Identifier: MIT */
#include "shim/shim.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/objects.h"
#include "wire/clock.h"
#include "wire/files.h"
#include "wire/session_file.h"
#include "base/text.h"

#define FIRST_BYTES  (5 * LAYOUT_PAGE)	/* the header; tasks, threads, shapes, maps: a page each */
#define ROOM_BYTES   (32 * LAYOUT_PAGE) /* a file grows by this, or by its own length if shorter, */
#define ROOM_PART    8 /* or by this part of its length: fewer opens if it is long */
#define SPARE_FILES  8 /* descriptors above the program's limit */
#define THREAD_PAGES 4 /* of a chunk of threads */

/* How long a call waits for the profiler to look for stops: this part of its time, or less. */
#define WAIT_PART    20
#define WAIT_STEP_NS 1000000
#define WAITS_MAX    100

struct session shim_session;

static char session_path[256];	/* copied at start: the program may clear its environment */
static uint32_t early_troubles; /* noted before there was a record */
static uint64_t early_calls;	/* made before the program had its environment */
static pid_t started_as;	/* process that executed this program; differs in a forked child */
/* The record of this process, or, in a forked child without one, that of its parent. */
static struct process_header *last_header;
static uint64_t last_token = FIRST_TOKEN; /* forked children count on, so that none repeats */

static struct shim_process fallback_process = {.state = SESSION_NONE, .is_original = 1};
struct shim_process *shim_process = &fallback_process;

/* Clears the process's state in a forked child, which does not have the threads that hold locks, if
 * the kernel does not: without a session, and before Linux 4.14. */
static void wipe_process(void)
{
	*shim_process = (struct shim_process){
		.state = shim_process == &fallback_process ? SESSION_NONE : SESSION_OPEN};
}

/* Returns 1 if there may be a session, and this process may look for it. */
static int find_session(void)
{
	const char *path = secure_getenv(SESSION_VARIABLE);
	const char *wall = secure_getenv(WALL_VARIABLE);

	if (!path || *path != '/' || strlen(path) >= sizeof session_path)
		return 0;
	strcpy(session_path, path);
	/* an unseen filter from before the program was started may kill the process for a system
	 * call of this library; finding out takes only system calls that the loader has made, too
	 */
	return !(wall && *wall == WALL_DEADLY) &&
	       seccomp_filters() <= (wall && *wall ? *wall - WALL_TRUSTS : 0);
}

static void start(void)
{
	struct shim_process *page = MAP_FAILED;

	if (find_session())
		page = mmap(NULL, LAYOUT_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
	if (page == MAP_FAILED || madvise(page, LAYOUT_PAGE, MADV_WIPEONFORK))
		pthread_atfork(NULL, NULL, wipe_process);
	if (page == MAP_FAILED)
		return;
	_Static_assert(sizeof *page <= LAYOUT_PAGE, "the process's state fits the wiped page");
	started_as = getpid();
	thread_make_key();
	page->is_original = 1;
	shim_process = page;
}

/* Without an environment, functions in .preinit_array run, before those of any library. */
__attribute__((constructor)) void session_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	static int has_started;

	if (!environ)
		return;
	objects_start();
	if (pthread_once)
		pthread_once(&once, start);
	else if (!has_started++) /* there are no threads */
		start();
}

/* Returns the descriptor that make() opens. If the program has used up its descriptors, raises the
 * limit for that moment. */
static int make_descriptor(int (*make)(void))
{
	struct rlimit limit, more;
	int fd = make(), error;

	if (fd >= 0 || errno != EMFILE || getrlimit(RLIMIT_NOFILE, &limit))
		return fd;
	more = limit;
	if (more.rlim_cur < more.rlim_max)
		more.rlim_cur = more.rlim_max;
	else
		more.rlim_cur = more.rlim_max += SPARE_FILES; /* needs CAP_SYS_RESOURCE */
	if (setrlimit(RLIMIT_NOFILE, &more)) {
		errno = EMFILE;
		return fd;
	}
	fd = make();
	error = errno;
	setrlimit(RLIMIT_NOFILE, &limit);
	errno = error;
	return fd;
}

static int open_directory(void)
{
	return session_directory_open(session_path);
}

/* Opens the process's own file. Fails if it was truncated meanwhile. */
static int open_own_file(void)
{
	int directory = open_directory(), fd, error;
	char name[sizeof SESSION_MORE + sizeof shim_process->file], *end = name + sizeof name;
	uint64_t bytes = 0;

	if (directory < 0)
		return -1;
	text_add(text_add(name, end, shim_process->has_more ? SESSION_MORE : ""), end,
		 shim_process->file);
	fd = session_file_open(directory, name, O_RDWR | (shim_process->has_more ? O_CREAT : 0),
			       &bytes);
	error = errno;
	file_close(directory);
	errno = error;
	if (fd >= 0)
		fchmod(fd, 0600); /* independent of the program's umask */
	if (fd < 0 || bytes >= shim_process->file_bytes - shim_process->more_at)
		return fd;
	file_close(fd);
	return -1;
}

/* Allocates and maps `bytes` more at the file's end for the next chunks, so that touching them
 * cannot raise SIGBUS. populate: MAP_POPULATE if all of them will be touched soon. Checks the
 * file-size limit first, since exceeding it would end the program by SIGXFSZ, and leaves the
 * program the shared memory that it may need itself. */
static int grow_file(int fd, size_t bytes, int populate)
{
	off_t start = (off_t)(shim_process->file_bytes - shim_process->more_at);
	struct statvfs space;
	struct rlimit limit;
	char *map;

	if (getrlimit(RLIMIT_FSIZE, &limit) ||
	    (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < (rlim_t)start + bytes)) {
		errno = EFBIG;
		return -1;
	}
	if (shim_session.reserve_bytes && !shim_process->has_more && !fstatvfs(fd, &space) &&
	    (uint64_t)space.f_bavail * space.f_frsize < shim_session.reserve_bytes + bytes)
		errno = ENOSPC;
	else
		errno = posix_fallocate(fd, start, (off_t)bytes);
	if (errno)
		return -1;
	map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | populate, fd, start);
	if (map == MAP_FAILED)
		return -1;
	shim_process->file_bytes += bytes;
	shim_process->room = map;
	shim_process->room_bytes = bytes;
	return 0;
}

/* Like grow_file(), but continues in another file system if this one has no room. */
static int grow_somewhere(int *fd, size_t bytes, int populate)
{
	if (!grow_file(*fd, bytes, populate))
		return 0;
	if (errno != ENOSPC || shim_process->has_more)
		return -1;
	file_close(*fd);
	shim_process->has_more = 1;
	shim_process->more_at = shim_process->file_bytes;
	*fd = make_descriptor(open_own_file);
	if (*fd >= 0)
		return grow_file(*fd, bytes, populate);
	shim_process->has_more = 0;
	shim_process->more_at = 0;
	errno = ENOSPC;
	return -1;
}

/* Makes room for at least `bytes`, or for more if there is much space. What was left of the old
 * room stays empty. */
static int get_room(size_t bytes)
{
	size_t much = shim_process->file_bytes / ROOM_PART / ROOM_BYTES * ROOM_BYTES;
	int fd, failed = -1;

	if (shim_process->room_bytes >= bytes)
		return 0;
	fd = make_descriptor(open_own_file);
	if (fd < 0)
		return -1;
	much = much > ROOM_BYTES ? much : ROOM_BYTES;
	much = much < shim_process->file_bytes ? much : shim_process->file_bytes;
	if (bytes < much)
		failed = grow_file(fd, much, MAP_POPULATE);
	if (failed)
		failed = grow_somewhere(&fd, bytes, 0);
	file_close(fd);
	return failed;
}

static void *use_room(size_t bytes)
{
	char *taken = shim_process->room;

	shim_process->room += bytes;
	shim_process->room_bytes -= bytes;
	return taken;
}

int session_has_plenty(size_t rows_bytes)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	       limit.rlim_cur / 2 > shim_process->file_bytes + rows_bytes;
}

/* Most errors that keep a process from its own file mean that it has become another user, or has
 * locked itself in. */
static uint32_t trouble_of(int error)
{
	switch (error) {
	case EFBIG:
		return TROUBLE_FILE_LIMIT;
	case EACCES:
	case EPERM:
	case ENOENT:
	case ENOTDIR:
	case ENOSYS:
	case EMFILE:
		return TROUBLE_SHUT_OUT;
	case ENOMEM:
		return TROUBLE_NO_MEMORY;
	default:
		return TROUBLE_NO_ROOM;
	}
}

struct chunk_header *session_add_chunk(enum chunk_kind kind, size_t rows_bytes)
{
	size_t bytes = (rows_bytes + sizeof(struct chunk_header) + LAYOUT_PAGE - 1) / LAYOUT_PAGE *
		       LAYOUT_PAGE;
	struct chunk_header *chunk;
	int saved = errno, failed, error;

	/* the first ones are small: of thousands of processes, most need no more */
	if ((kind == CHUNK_THREADS || kind == CHUNK_SHAPES) && !(shim_process->kinds & 1u << kind))
		bytes = LAYOUT_PAGE;
	shim_process->kinds |= 1u << kind;
	errno = 0;
	failed = get_room(bytes);
	error = errno;
	errno = saved;
	if (failed) {
		__atomic_or_fetch(&shim_process->header->troubles, trouble_of(error),
				  __ATOMIC_RELAXED);
		return NULL;
	}
	chunk = use_room(bytes);
	chunk->kind = kind;
	chunk->bytes = (uint32_t)bytes;
	__atomic_store_n(&chunk->magic, CHUNK_MAGIC, __ATOMIC_RELEASE);
	return chunk;
}

void session_note_trouble(enum trouble trouble)
{
	__atomic_or_fetch(&early_troubles, (uint32_t)trouble, __ATOMIC_RELAXED);
	if (process_attached())
		__atomic_or_fetch(&shim_process->header->troubles, (uint32_t)trouble,
				  __ATOMIC_RELAXED);
}

unsigned chunk_rows(const struct chunk_header *chunk, size_t row_bytes)
{
	return (unsigned)((chunk->bytes - sizeof *chunk) / row_bytes);
}

void *row_list_add(enum chunk_kind kind, size_t row_bytes)
{
	struct row_list *list = &shim_process->lists[kind];
	struct chunk_header *chunk = list->last;
	size_t pages = kind == CHUNK_THREADS ? THREAD_PAGES : 1;

	if (!chunk || chunk->used == chunk_rows(chunk, row_bytes)) {
		chunk = session_add_chunk(kind, pages * LAYOUT_PAGE - sizeof *chunk);
		if (!chunk)
			return NULL;
		if (list->last)
			__atomic_store_n(&list->last->next, (uintptr_t)chunk, __ATOMIC_RELEASE);
		else
			__atomic_store_n(&list->first, chunk, __ATOMIC_RELEASE);
		list->last = chunk;
	}
	return (char *)(chunk + 1) + chunk->used * row_bytes;
}

static int create_file(int directory)
{
	char *end = shim_process->file + sizeof shim_process->file;

	for (int serial = 0; serial < 1000000; serial++) {
		char *at = text_add_number(text_add(shim_process->file, end, "p."), end, getpid());
		int fd;

		text_add_number(text_add(at, end, "."), end, serial);
		fd = file_open_at(directory, shim_process->file,
				  O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (fd < 0 && errno == EEXIST)
			continue;
		if (fd >= 0)
			fchmod(fd, 0600); /* independent of the program's umask */
		return fd;
	}
	return -1;
}

/* Returns 1 if the session wants the calls of this process. */
static int is_followed(void)
{
	if (shim_session.follow == FOLLOW_FORKS)
		return started_as == shim_session.program;
	return shim_session.follow == FOLLOW_ALL || getpid() == shim_session.program;
}

/* Reads the control file, unless a parent has read it before it forked. Returns a descriptor of the
 * process's new record file, or -1. */
static int enter_session(void)
{
	int directory = open_directory(), fd = -1, first = -1;
	struct session session;

	if (directory < 0)
		return -1;
	if (!shim_session.magic && !session_file_read(directory, &session)) {
		shim_session = session;
		if (is_followed())
			first = file_open_at(directory, SESSION_FIRST,
					     O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	}
	shim_process->is_first |= first >= 0;
	file_close(first);
	if (shim_session.magic && is_followed())
		fd = create_file(directory);
	file_close(directory);
	return fd;
}

/* Reads the name of the process, which is that of its first thread. */
static void read_command(char *command, size_t size)
{
	int fd;
	ssize_t got;

	if (syscall(SYS_gettid) == getpid()) {
		prctl(PR_GET_NAME, command);
		return;
	}
	fd = file_open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
	got = fd < 0 ? 0 : file_read(fd, command, size - 1);
	file_close(fd);
	command[got > 0 ? got - (command[got - 1] == '\n') : 0] = '\0';
}

/* Leaves a symbolic link that says why this process has no record: that takes no descriptor and no
 * room in a file. With `error` 0 the link is removed. */
static void note_lost(int error)
{
	char path[sizeof session_path + 32], *path_end = path + sizeof path, text[96];
	char *end = text + sizeof text, *at;

	if (!session_path_is_private(session_path))
		return;
	at = text_add(text_add(path, path_end, session_path), path_end, "/" LOST_PREFIX);
	text_add_number(at, path_end, getpid());
	at = text_add(text_add_number(text, end, error), end, " ");
	text_add_part(at, end, program_invocation_short_name, 63);
	if (!error)
		unlink(path);
	else if (symlink(text, path))
		return; /* the link exists already, or cannot be made */
}

int session_try_again(int is_call)
{
	uint64_t next = __atomic_load_n(&shim_process->missed, __ATOMIC_RELAXED) + 1;

	if (session_state() == SESSION_NONE) {
		if (is_call && !environ)
			early_calls++;
		return 0;
	}
	if (!(next & (next - 1)))
		return 1; /* if the attempt fails, it counts the call */
	if (is_call)
		__atomic_add_fetch(&shim_process->missed, 1, __ATOMIC_RELAXED);
	return 0;
}

static struct process_header *make_header(void)
{
	enum session_state state = SESSION_FAILED;
	struct process_header *header = NULL;
	int fd, directory, error;

	errno = 0;
	fd = make_descriptor(enter_session);
	if (fd >= 0) {
		shim_process->has_more = 0;
		shim_process->more_at = 0;
		if (!grow_somewhere(&fd, FIRST_BYTES, MAP_POPULATE))
			header = use_room(LAYOUT_PAGE);
		error = errno;
		file_close(fd);
		/* a reader would take the empty file for a truncated one */
		if (!header && (directory = make_descriptor(open_directory)) >= 0) {
			unlinkat(directory, shim_process->file, 0);
			file_close(directory);
		}
		errno = error;
	}
	if (shim_session.magic && !is_followed()) {
		state = SESSION_NONE;
	} else if (!header) {
		if (last_header) /* a child that has locked itself in cannot leave a link */
			__atomic_or_fetch(&last_header->troubles, trouble_of(errno),
					  __ATOMIC_RELAXED);
		note_lost(errno ? errno : ENOSPC);
	} else {
		if (session_state() == SESSION_FAILED)
			note_lost(0);
		state = SESSION_OPEN;
	}
	__atomic_store_n(&shim_process->state, state, __ATOMIC_RELAXED);
	return state == SESSION_OPEN ? header : NULL;
}

int session_attach(void)
{
	struct process_header *header = make_header();
	struct stat space;

	if (!header)
		return -1;
	shim_process->header = last_header = header;
	header->version = LAYOUT_VERSION;
	header->pid = getpid();
	header->parent = getppid();
	header->pid_space =
		file_status(AT_FDCWD, "/proc/self/ns/pid", 0, &space) ? 0 : space.st_ino;
	header->troubles = __atomic_load_n(&early_troubles, __ATOMIC_RELAXED);
	header->unrecorded_calls =
		__atomic_load_n(&shim_process->missed, __ATOMIC_RELAXED) + early_calls;
	early_calls = 0;
	header->first_ticks = clock_ticks(shim_session.clock);
	header->first_monotonic_ns = clock_ns(CLOCK_MONOTONIC);
	read_command(header->command, sizeof header->command);
	__atomic_store_n(&header->magic, PROCESS_MAGIC, __ATOMIC_RELEASE);
	__atomic_store_n(&shim_process->token, ++last_token, __ATOMIC_RELEASE);
	return 0;
}

int64_t session_stopped(int64_t from_ns, int64_t to_ns)
{
	int64_t stopped_ns, waits = (to_ns - from_ns) / WAIT_PART / WAIT_STEP_NS;
	const struct timespec step = {0, WAIT_STEP_NS};
	int cancel_type;
	KEEP_ERRNO;
	uint32_t word = 0;

	waits = waits < WAITS_MAX ? waits : WAITS_MAX;
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &cancel_type);
	/* a profiler that was stopped, too, may wake a moment later */
	while ((stopped_ns = session_stopped_ns(session_path, shim_process->header->pid, from_ns,
						to_ns)) < 0 &&
	       waits-- > 0)
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &step, NULL, 0);
	pthread_setcanceltype(cancel_type, &cancel_type);
	return stopped_ns < 0 ? 0 : stopped_ns;
}
