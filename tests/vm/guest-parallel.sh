# guest-parallel.sh: tests with two CPUs: threads, a ring for each CPU, samples of both, a quota of CPU time.
# SPDX-License-Identifier: MIT
# shellcheck shell=sh
profile -e cycles,page-faults -- $small 2 --steps=120
check "two threads are seen" [ "$(cell threads threads)" = 2 ]
check "calls are counted" over "$(cell runs calls)" 4000
check "samples of cycles" says 'samples by cycles'
check "both CPUs are of one core" says 'online, cores: 1'
check "no sample is lost" [ "$(cell runs samples_lost)" = 0 ]
check "the parts add up to the count" near "$(awk -v b="$(cell counters blas cycles)" -v o="$(cell counters other cycles)" \
	-v k="$(cell counters kernel cycles)" -v x="$(cell counters outside cycles)" 'BEGIN { print b + o + k + x }')" \
	"$(cell counters count cycles)" 0.001
check "callers have the largest count" over "$(cell counters callers cycles)" "$(cell counters others cycles)"
check "page faults are counted" over "$(cell counters count page-faults)" 100
profile -e instructions -- $small 2 --steps=20
check "instructions are not available on this machine, and the report says so" says 'was not counted: instructions'
check "f without them" over "$(cell threads f_intercepted)" 0.05
check "the BLAS library is known" says '^BLAS .*OpenBLAS 0'
profile -- infer 2 --steps=20 $size
check "infer on two threads" [ "$(cell threads threads)" = 2 ]

# A control group of version 2, as a container has it: two threads get half a CPU.
group=/sys/fs/cgroup/half
echo +cpu >/sys/fs/cgroup/cgroup.subtree_control
mkdir $group
echo 50000 100000 >$group/cpu.max
echo $$ >$group/cgroup.procs
profile -- $small 2 --steps=20
check "half a CPU is available" says '0.5 CPUs available'
check "two threads lack a CPU for half of their time or more" over "$(cell threads no_cpu_quota_ns)" "$(cell threads wall_ns)"
