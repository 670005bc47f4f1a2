/* cpu_alarm.h: a signal that arrives while a call computes. */
/* SPDX-License-Identifier: MIT */
#ifndef CPU_ALARM_H
#define CPU_ALARM_H

#include <signal.h>
#include <sys/time.h>

#define CPU_ALARM SIGPROF

/* Sends CPU_ALARM once the process has computed for 20 ms. A call that begins now and takes longer
 * has begun by then, however long the thread lacks a CPU. */
static inline void cpu_alarm(void)
{
	struct itimerval timer = {.it_value.tv_usec = 20000};

	setitimer(ITIMER_PROF, &timer, NULL);
}

#endif
