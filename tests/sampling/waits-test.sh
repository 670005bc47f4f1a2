#!/bin/sh
# waits-test.sh: the report has how long a thread waited, for what, in which line, and in which region.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
may_sample || exit 77

waits=$PWD/tests/sampling/waits
export OPENBLAS_NUM_THREADS=1

# A line has the place, which may have spaces, and times.
place_of='function place_of(line) { sub(/( [0-9]+)+$/, "", line); return line }'

# compare PLACES STORE COLUMNS PROGRAM...: the program prints the time of each place, and so many places. The report has the
# same times within 2 %. A place is the first three columns, the time is the fourth, and the role of the thread the seventh.
compare()
{
	places=$1 store=$2 columns=$3
	shift 3
	expect 0 "$blasprof" --full --roi=process -i "$store" -- "$@"
	cp "$work/err" "$work/text"
	cp "$work/out" "$work/truth"
	expect 0 "$blasprof" report --store="$store" --format=tsv --table=waits --columns="$columns"
	awk -F '\t' -v places="$places" "$place_of"'
		FNR == NR { place = place_of($0); split(substr($0, length(place) + 2), part, " "); want[place] = part[1]; most[place] = part[2]; next }
		NF < 7 || $7 == "caller" { sum[$1 "," $2 "," $3] += $4 }
		END {
			for (place in want) {
				off = sum[place] / (sum[place] < want[place] ? want[place] : sum[place] > most[place] ? most[place] : sum[place]) - 1
				printf "%s: %.1f ms, in the report %+.2f %%\n", place, want[place] / 1e6, off * 100
				places--
				if (off > 0.02 || off < -0.02 || want[place] < 5e7)
					bad = 1
			}
			exit bad || places
		}' "$work/truth" "$work/out" >"$work/compared" || { fail "waits differ by more than 2 %" && cat "$work/out"; }
	cat "$work/compared"
}

# Nobody computes while the program waits for a process that takes no part.
expect 0 "$blasprof" --roi=process -q -i child.db -- "$waits" 20 child
waits_known child.db || exit 77
ask child.db "SELECT 1 FROM waits WHERE function = 'read' AND pid IN (SELECT pid FROM threads WHERE calls > 0)
	GROUP BY 1 HAVING sum(alone_ns) >= 0.9 * sum(total_ns)" >"$work/out"
expect_says out 1

# What follows mostly waits, so that it all runs at once.
all_kinds()
{
	compare 11 waits.db kind,function,caller,total_ns,file,line,role "$waits" 5 2
	awk -F '\t' -v source="$srcdir/tests/sampling/waits.c" "$place_of"'
		BEGIN { while ((getline line < source) > 0) text[++lines] = line }
		FNR == NR { place = place_of($0); want[place] = substr($0, length(place) + 2) + 0; next }
		$7 == "caller" && ($1 "," $2 "," $3) in want && $4 > want[$1 "," $2 "," $3] / 2 &&
			($5 !~ /waits\.c$/ || index(text[$6 + 0], $2 == "wait4" ? "waitpid(" : $2 "(") == 0) { print; bad = 1 }
		END { exit bad }' "$work/truth" "$work/out" || fail "a wait is not at the call of its function"

	# Nobody computes while they wait.
	ask waits.db "SELECT 1 FROM waits WHERE kind <> 'run queue' GROUP BY 1 HAVING sum(alone_ns) BETWEEN 0.9 * sum(total_ns) AND sum(total_ns)" >"$work/out"
	expect_says out 1
}
beside all_kinds

# The same functions wait in two regions and outside them.
regions()
{
	compare 6 regions.db region,kind,caller,total_ns "$waits" 5 regions
	mv "$work/text" "$work/err"
	expect_says err 'called at  *region$'
	expect_says err 'pthread_barrier_wait  *waits.c:[0-9]*  *late'
	prints 'late  *barrier  *pthread_barrier_wait  *wait_at_barrier' report --store=regions.db --by=wait
}
beside regions

# The report says which locks and barriers cost speed-up, and all parts add up to the loss.
lost()
{
	expect 0 "$blasprof" --roi=process -q -i lost.db -- "$waits" 3 1
	expect 0 "$blasprof" --full --roi=process -i lost.db -- "$waits" 3 2
	expect_says err 'What the callers waited on at 2 threads'
	speedup=$(column threads speedup -i lost.db | tail -n 1)
	prints 'mutex: pthread_mutex_lock, called by wait_on_mutex' report --store=lost.db --format=csv --table=lost
	expect_says out 'barrier: pthread_barrier_wait, called by wait_at_barrier'
	awk -F, -v speedup="$speedup" '$1 == 2 { sum += $NF } END { off = sum - (2 - speedup); exit !(off < 1e-6 && off > -1e-6) }' "$work/out" ||
		fail "the parts of the loss do not add up to 2 - $speedup"
}
beside lost

# A wait in a lambda expression is in the line that waits, and not in a header of the library.
cat >"$work/meet.cc" <<'end'
#include <atomic>
#include <barrier>
#include <dlfcn.h>
#include <thread>
#include <unistd.h>
int main()
{
	auto sdot = (float (*)(const int *, const float *, const int *, const float *, const int *))
		dlsym(dlopen("libblas.so.3", RTLD_NOW), "sdot_");
	const int one = 1;
	const float x = 1;
	std::barrier<> barrier(2);
	std::atomic<bool> has_begun(false);
	int met = 0;
	std::thread other([&] {
		has_begun = true;
		barrier.arrive_and_wait(); // here
		met = 1;
	});
	sdot(&one, &x, &one, &x, &one);
	while (!has_begun)
		usleep(1000);
	usleep(200000);
	barrier.arrive_and_wait();
	other.join();
	return !met;
}
end
if g++ -std=c++20 -g -O2 -pthread "$work/meet.cc" -o "$work/meet" 2>/dev/null; then
	expect 0 "$blasprof" --roi=process -q -i meet.db -- ./meet
	expect 0 "$blasprof" report --store=meet.db --format=tsv --table=waits --columns=kind,caller,file,line,total_ns
	line=$(grep -n here "$work/meet.cc")
	awk -F '\t' -v line="${line%%:*}" '
		$1 == "barrier" && $2 == "lambda" && $3 ~ /meet.cc$/ && $4 == line && $5 > 1e8 { found = 1 } END { exit !found }' "$work/out" ||
		fail "no wait in the lambda expression: $(cat "$work/out")"
fi

# A function that is inlined and has no name for the linker has that of its namespace.
cat >"$work/scope.cc" <<'end'
#include <ctime>
namespace app {
template <class F> inline void repeat(F f)
{
	while (clock() < CLOCKS_PER_SEC / 4)
		for (int i = 0; i < 1000; i++)
			f();
}
}
int main()
{
	volatile double x = 0;
	app::repeat([&] { x = x + 1; });
}
end
if g++ -g -O2 "$work/scope.cc" -o "$work/scope" 2>/dev/null; then
	expect 0 "$blasprof" --roi=process -q -i scope.db -- ./scope
	expect 0 "$blasprof" report --store=scope.db --format=tsv --table=stacks --columns=stack
	expect_says out "main;app::repeat<"
fi

# A runtime that has stacks of its own, as Go has, waits on another one than the function that calls it. Frame pointers tell.
cat >"$work/switch.c" <<'end'
#include <time.h>
char stack[16384] __attribute__((aligned(16)));
void switch_stack(void) __asm__("runtime.switch");
__asm__("runtime.switch: push %rbp; mov %rsp, %rbp; lea stack + 16384(%rip), %rsp; call runtime.stop; mov %rbp, %rsp;"
	"pop %rbp; ret\n runtime.stop: push %rbp; mov %rsp, %rbp; mov $200000, %edi; call usleep@PLT; pop %rbp; ret");
int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 8)
		;
	switch_stack(); // here
	return stack[0];
}
end
if [ "$(uname -m)" = x86_64 ] && cc -g -O2 "$work/switch.c" -o "$work/switch" 2>/dev/null; then
	expect 0 "$blasprof" --roi=process -q -i switch.db -- ./switch
	expect 0 "$blasprof" report --store=switch.db --format=tsv --table=waits --columns=kind,caller,line
	expect_says out "^sleep	main	$(grep -n here "$work/switch.c" | cut -d: -f1)$"
fi

# Who waits for a lock, whose holder waits for other threads in the same line, waits for these too.
cat >"$work/queue.cc" <<'end'
#include <mutex>
#include <semaphore.h>
#include <thread>
#include <time.h>
#include <unistd.h>
static std::mutex mutex;
static sem_t results;
static void take(bool *done)
{
	mutex.lock(), sem_wait(&results), mutex.unlock(); // here
	*done = true;
}
int main()
{
	bool done[2];
	std::thread one(take, &done[0]), other(take, &done[1]);
	for (int i = 0; i < 2; i++) {
		usleep(400000);
		sem_post(&results);
	}
	one.join();
	other.join();
	while (clock() < CLOCKS_PER_SEC / 8)
		;
	return !done[0] || !done[1];
}
end
if g++ -g -O2 -pthread "$work/queue.cc" -o "$work/queue" 2>/dev/null; then
	expect 0 "$blasprof" --roi=process -q -i queue.db -- ./queue
	line=$(grep -n here "$work/queue.cc")
	kinds=$(ask queue.db "SELECT kind, sum(total_ns) > 11e8 FROM waits WHERE line = ${line%%:*} GROUP BY 1")
	[ "$kinds" = "condition|1" ] || fail "who waits for a lock whose holder waits: $kinds"
fi

# Without stacks, waits have a time but no place.
expect 0 "$blasprof" --call-graph=none --roi=process -q -i none.db -- "$waits" 1 2
prints ',caller,unknown,,,' report --store=none.db --format=csv --table=waits
together
finish
