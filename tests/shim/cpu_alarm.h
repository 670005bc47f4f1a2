/* cpu_alarm.h: a signal that arrives while a call computes. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SHIM_CPU_ALARM_H
#define TESTS_SHIM_CPU_ALARM_H

#include <signal.h>
#include <time.h>

#define CPU_ALARM SIGPROF

/* Sends CPU_ALARM once the process has computed for 20 ms. A call that begins now and takes longer
 * has begun by then, however long the thread lacks a CPU. The timers of setitimer() count ticks of
 * the clock, of which a thread with short slices may see few. */
static inline void cpu_alarm(void)
{
	static timer_t timer;
	static int is_made;
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = CPU_ALARM};
	struct itimerspec once = {.it_value.tv_nsec = 20000000};

	if (!is_made && timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer))
		return;
	is_made = 1;
	timer_settime(timer, 0, &once, NULL);
}

#endif
