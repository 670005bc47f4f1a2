/* own_calls.c: system calls under the C library's names, for this library only. */
/* SPDX-License-Identifier: MIT
 *
 * C leaves these names to the program. Its own function stat() or unlink() would be called from
 * here instead of the C library's, since the loader looks into the program first. Not getrusage(),
 * by which tests/launch/stops.c stops the process.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#pragma GCC visibility push(hidden)

int stat(const char *path, struct stat *status)
{
	return (int)syscall(SYS_newfstatat, AT_FDCWD, path, status, 0);
}

int lstat(const char *path, struct stat *status)
{
	return (int)syscall(SYS_newfstatat, AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

int fstat(int fd, struct stat *status)
{
	return (int)syscall(SYS_fstat, fd, status);
}

int fchmod(int fd, mode_t mode)
{
	return (int)syscall(SYS_fchmod, fd, mode);
}

int unlinkat(int directory, const char *path, int flags)
{
	return (int)syscall(SYS_unlinkat, directory, path, flags);
}

int unlink(const char *path)
{
	return unlinkat(AT_FDCWD, path, 0);
}

int symlink(const char *text, const char *path)
{
	return (int)syscall(SYS_symlinkat, text, AT_FDCWD, path);
}

off_t lseek(int fd, off_t offset, int from)
{
	return syscall(SYS_lseek, fd, offset, from);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	return syscall(SYS_write, fd, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
	return syscall(SYS_pwrite64, fd, bytes, size, offset);
}

int madvise(void *address, size_t size, int advice)
{
	return (int)syscall(SYS_madvise, address, size, advice);
}

pid_t getpid(void)
{
	return (pid_t)syscall(SYS_getpid);
}

pid_t getppid(void)
{
	return (pid_t)syscall(SYS_getppid);
}

uid_t geteuid(void)
{
	return (uid_t)syscall(SYS_geteuid);
}

int getrlimit(__rlimit_resource_t resource, struct rlimit *limit)
{
	return (int)syscall(SYS_prlimit64, 0, resource, NULL, limit);
}

int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit)
{
	return (int)syscall(SYS_prlimit64, 0, resource, limit, NULL);
}

int sigaltstack(const stack_t *stack, stack_t *old)
{
	return (int)syscall(SYS_sigaltstack, stack, old);
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	CPU_ZERO_S(size, set);
	return syscall(SYS_sched_getaffinity, pid, size, set) < 0 ? -1 : 0;
}

int sched_yield(void)
{
	return (int)syscall(SYS_sched_yield);
}

ssize_t process_vm_readv(pid_t pid, const struct iovec *here, unsigned long here_count,
			 const struct iovec *there, unsigned long there_count, unsigned long flags)
{
	return syscall(SYS_process_vm_readv, pid, here, here_count, there, there_count, flags);
}

#pragma GCC visibility pop
