# guest-exact.sh: tests with exact counters, on one CPU with one instruction per cycle.
# SPDX-License-Identifier: MIT
# shellcheck shell=sh

# Totals of a loop of 200 M instructions, half of them in BLAS calls.
profile -F 0 -e cycles:u,instructions:u -- loop 50000000 50000000
check "the loop ran" [ "$(cat output.txt)" = "200000000 100000000" ]
check "cycles of the loop within 1 %" near "$(cell counters count cycles:u)" 200000000 0.01
check "instructions of the loop within 1 %" near "$(cell counters count instructions:u)" 200000000 0.01
check "instructions a cycle are 1" near "$(cell counters per_cycle instructions:u)" 1 0.001

# The same in a group, and with samples: a quarter in BLAS.
# One turn is shorter than a sampling period, so that samples do not fall into step with it.
profile -F 997 -e '{cycles:u,instructions:u}' -- loop 150000 50000 1000
check "a group counts the loop within 1 %" near "$(cell counters count instructions:u)" 400000000 0.01
check "hardware cycles are sampled" says 'samples by cycles'
check "nothing took turns" near "$(cell counters counted cycles:u)" 1 0.001
check "a quarter of the program's own code is in BLAS, by some 400 samples" near "$(awk -v b="$(cell counters blas cycles:u)" \
	-v o="$(cell counters other cycles:u)" 'BEGIN { print b / (b + o) }')" 0.25 0.25
check "the report has instructions per cycle" says 'instructions per cycle: 1.00'

# If users may read the counters, the counts inside calls are exact, also for each shape.
echo 1 >/proc/sys/kernel/perf_user_access
profile -F 0 -e cycles:u,instructions:u -- loop 1500000 500000 100
check "exact: instructions in BLAS within 1 %" near "$(cell counters exact_blas instructions:u)" 100000000 0.01
check "exact: instructions outside it within 1 %" near "$(cell counters exact_other instructions:u)" 300000000 0.01
check "exact: a shape's instructions a call within 1 %" near "$(blasprof report -f csv --table shape_counters |
	awk -F, '$2 == "instructions:u" && $7 == 500000 { print $11 }')" 1000000 0.01
check "exact: the report says so" says '^exact .*instructions:u in the callers. user code: 100 M in BLAS'
profile -F 0 -e cycles:u,instructions:u -- loop 1500000 500000 20 2
check "exact: two threads within 1 %" near "$(cell counters exact_blas instructions:u)" 40000000 0.01
profile -F 0 -e cycles:u,instructions:u -- $small 1 --steps=4
check "exact: train, in BLAS" over "$(cell counters exact_blas instructions:u)" 1000000
check "exact: train, no reading missed" says_not 'not counted exactly'
echo 0 >/proc/sys/kernel/perf_user_access
profile -F 0 -e cycles:u -- loop 1000 1000
check "no exact counts where users may not read" [ "$(cell counters exact_blas cycles:u)" = "" ]

# Threads inherit the counters, and all of them are counted.
profile -F 0 -e cycles:u -- loop 10000000 10000000 1 3
check "three threads within 1 %" near "$(cell counters count cycles:u)" 120000000 0.01

# If there are more events than counters, they take turns.
profile -F 0 -e cycles,instructions,cycles:u,instructions:u,r11,r8,r11:u,r8:u,r11:k,r8:k,cycles:k,instructions:k \
	-- loop 300000000 100000000
check "events took turns" over 0.999 "$(cell counters counted instructions:u)"
check "scaled up to the whole within 10 %" near "$(cell counters count instructions:u)" 800000000 0.1
check "the report shows for how long" says 'counted: % of the time in which'

# A group that is too large for the machine's counters, and events that do not exist.
profile -F 0 -e '{cycles,instructions,r11,r8,r23,r24,r3c,cycles:u,instructions:u,r11:u,r8:u}' -- loop 10000 10000
check "a group that is too large is said to be" says 'a group of events is larger'
profile -F 0 -e branches,cycels,cycles:u -- loop 5000000 5000000
check "an unknown event is named, with a near one" says "unknown event 'cycels'"
profile -F 0 -e branches,cycles:u -- loop 5000000 5000000
check "a missing event is named" says 'was not counted: branches'
check "what is left is counted" near "$(cell counters count cycles:u)" 20000000 0.05

# The preload library: clock, wrappers, the workloads.
profile -F 997 -- $small 1 --steps=200 # about 500 samples
check "the clock is the CPU's counter" says 'clocks   CPU counter'
check "train: calls are counted" over "$(cell runs calls)" 800
check "train: f by interception" over "$(cell threads f_intercepted)" 0.05
check "train: f by samples is near it" near "$(cell threads f_sampled)" "$(cell threads f_intercepted)" 0.25
check "train: no warning of coverage" says_not 'two clocks disagree'
profile -F 997 -e cycles,instructions -- $small 1 --steps=200
check "train: cycles in BLAS" over "$(cell counters blas cycles)" 1000000
check "train: cycles in BLAS are f of them" near \
	"$(awk -v b="$(cell counters blas cycles)" -v o="$(cell counters other cycles)" 'BEGIN { print b / (b + o) }')" \
	"$(cell threads f_sampled)" 0.25
profile -- infer 1 --steps=20 $size
check "infer: calls are counted" over "$(cell runs calls)" 100
profile -F 0 -- counts-openblas libopenblas.so.0 1
sort output.txt >wanted
blasprof report -f csv --table shapes | awk -F, 'NR > 1 { calls[$2] += $8 } END { for (r in calls) print r, calls[r] }' |
	sort >counted
check "each routine's calls are counted" diff wanted counted
check "there are many routines" [ "$(wc -l <wanted)" -gt 250 ]

# Restrictions of the kernel for a user without privileges.
for paranoid in 4 3 2 1; do
	echo $paranoid >/proc/sys/kernel/perf_event_paranoid
	profile_as_nobody()
	{
		rm -f blasprof.db report.txt
		mkdir -p nobody
		chmod 777 nobody
		(cd nobody && rm -f blasprof.db* && as_nobody blasprof --full --output=report.txt -e cycles -- $small 1 --steps=12 \
			>/dev/null 2>errors.txt)
		cp nobody/report.txt nobody/blasprof.db .
	}
	profile_as_nobody
	check "paranoid $paranoid: calls are counted" over "$(cell runs calls)" 400
	case $paranoid in
	3 | 4)
		check "paranoid $paranoid: no samples, and why" says 'no samples were taken'
		check "paranoid $paranoid: the remedy" says 'CAP_PERFMON'
		;;
	2)
		check "paranoid 2: the user's part alone is sampled" says 'time in the kernel is not sampled'
		check "paranoid 2: the user's part alone is counted" [ "$(cell counters user_only cycles)" = 1 ]
		;;
	1) check "paranoid 1: the kernel's part too" [ "$(cell counters user_only cycles)" = 0 ] ;;
	esac
done
