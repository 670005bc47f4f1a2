/* hostile.h: what the parts of the hostile program share. */
/* SPDX-License-Identifier: MIT */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <stdint.h>
#include <sys/resource.h>

/* In a file that all processes share: calls that have returned, and such as may have, or not. */
extern uint64_t *count;
extern const char *count_path, *self;
extern char **words; /* after the way */

void call_shape(int m, int n, int k);
void call(void);
void call_many(int calls);
/* More shapes than a thread's first page holds. */
void call_shapes(void);
void call_from_threads(int threads);
void call_from_child(void);
/* Of all these some. */
void call_all(void);
/* Goes on as this program of another way. */
void exec_self(const char *way, char *const environment[]);
/* Lowers the limit that counts. */
void limit(int what, rlim_t value);

void way_clone(void);
void way_clonevm(void);
void way_clonevfork(void);
void way_clonepid(void);
void way_vfork(void);
void way_vforkexec(void);
void way_clone3(void);
void way_daemon(void);
void way_memory(void);
void way_children(void);
void way_spawn(void);
void way_execthread(void);
void way_chain(void);
void way_forkthread(void);
void way_chroot(void);
void way_setuid(void);
void way_seteuid(void);
void way_docker(void);
void way_namespaces(void);
void way_inherited(void);
void way_shm(void);
void way_traced(void);
void way_deleted(void);
void way_deepbind(void);
void way_dlmopen(void);
void way_renamed(void);
void way_limited(void);
void way_seccomp(void);
void way_seccompperf(void);
void way_seccompkill(void);
void way_seccompcall(void);
void way_seccompexec(void);
void way_seccompunseen(void);
void way_dumpable(void);
void way_deathsig(void);
void way_locked(void);

#endif
