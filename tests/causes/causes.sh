#!/bin/sh
# causes.sh: profiles programs with one planted cause and their twins without it; compares the first cause, and its size with
# the size that the program prints, and says whether blasprof claims a cause for the twin.
# SPDX-License-Identifier: MIT
# CASES selects the cases whose names contain this text. BUSY=1 is for a machine on which other programs run: it ignores the
# causes that lie in other programs, and losses below 5 % of N.
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
here=$srcdir/tests/causes
built=$PWD/tests/causes
export OPENBLAS_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
python=${PYTHON3:-/usr/bin/python3}

has_module()
{
	"$python" -c "import $1" 2>/dev/null
}

# program KIND: the words of its command, with {} for the thread count; nothing if it cannot run here.
program()
{
	case $1 in
	threads) echo "$built/threads {}" ;;
	blas) echo "$built/blas {}" ;;
	gomp | omp) [ ! -x "$built/$1" ] || echo "$built/$1 {}" ;;
	mpi) ! command -v mpirun >/dev/null || [ ! -x "$built/ranks" ] || echo "mpirun --oversubscribe -n {} $built/ranks" ;;
	python) ! has_module numpy || echo "$python $here/threads.py {}" ;;
	joblib) ! has_module joblib || echo "$python $here/jobs.py {}" ;;
	torch) ! has_module torch || echo "$python $here/threads.py {}" ;;
	R) ! command -v Rscript >/dev/null || echo "Rscript $here/forks.R {}" ;;
	esac
}

# value COLUMN: of the first row of causes; with BUSY, of the first cause that lies in the program.
value()
{
	awk -F '\t' -v name="$1" -v busy="$BUSY" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		busy && ($at["cause"] ~ /^(other-programs|host-steal|cpu-quota)$/ || $at["share"] < 0.05) { next }
		{ print $at[name]; exit }' "$work/causes"
}

# sum CAUSE: the loss by this cause in all rows of the largest thread count.
sum()
{
	awk -F '\t' -v cause="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		NR == 2 { threads = $at["threads"] }
		$at["cause"] == cause && $at["threads"] == threads { sum += $at["lost"] } END { print sum + 0 }' "$work/causes"
}

# profile PROGRAM CASE THREADS: sets $planted to the size that was planted; the table of causes is in the file causes.
profile()
{
	rm -f "$work/x.db"
	# shellcheck disable=SC2046,SC2086 # the program's words, and blasprof's
	"$blasprof" ${OPTIONS:+$OPTIONS} -w 0 -r "${RUNS:-3}" -i "$work/x.db" -t "$3" -- $(program "$1") "$2" >"$work/out" 2>"$work/err" || return 1
	"$blasprof" report -i "$work/x.db" --table=causes -f tsv >"$work/causes" || return 1
	# runs with one and with several threads alternate; only what exceeds the loss with one thread is a loss; it is relative
	# to the measured time, which may include an import or the start of processes
	measured=$("$blasprof" report -i "$work/x.db" --table=threads -f tsv | awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } END { print $at["wall_ns"] * 1e-9 }')
	planted=$(awk -v threads="${3##*,}" -v measured="$measured" '$1 != "planted" { next }
		{ several = n++ % 2; wall[several] += $4; $2 == "all" ? all = 1 : lost[several] += $2 * $4 }
		END { print all ? threads - wall[0] / wall[1] : (lost[1] - lost[0]) / measured }' "$work/out")
	# what more CPU time costs with several threads, by the program's own clock: some hosts slow down what runs at once
	slowed=$(awk '$1 == "planted" { several = n++ % 2; wall[several] += $4; cpu[several] += $6 }
		END { print wall[1] ? (cpu[1] - cpu[0]) / wall[1] : 0 }' "$work/out")
}

right=0
sized=0
quiet=0
slow=0
absent=0
cases=0
twins=0

# check PROGRAM CASE CAUSE TWIN [THREADS [OTHER]]: CAUSE must come first; TWIN is the case without it (- if there is none). OPTIONS
# apply to the case, not to the twin. OTHER is right, too, if the two causes cannot be told apart.
check()
{
	case "$1 $2" in *${CASES:-}*) ;; *) return ;; esac
	if [ -z "$(program "$1")" ] || ! profile "$1" "$2" "${5:-1,2}"; then
		printf '%-8s %-22s cannot run here\n' "$1" "$2"
		return
	fi
	cases=$((cases + 1))
	said=$(value cause)
	lost=$(sum "$3")
	size=$planted
	mark=$(awk -v lost="$lost" -v size="$size" 'BEGIN {
		off = lost > size ? lost - size : size - lost; print off <= 0.1 * size || off < 0.03 ? "" : "!" }')
	[ "$said" != "$3" ] && [ "$said" != "${6:-$3}" ] || right=$((right + 1))
	[ -n "$mark" ] || sized=$((sized + 1))
	of_twin=
	if [ "$4" != - ] && OPTIONS='' profile "$1" "$4" "${5:-1,2}"; then
		twins=$((twins + 1))
		of_twin=$(value cause)
		[ "$(sum "$3")" != 0 ] || absent=$((absent + 1))
		case ${of_twin:-none} in
		none | too-noisy) quiet=$((quiet + 1)) ;;
		*-slower | *-bandwidth)
			if awk -v lost="$(sum "$of_twin")" -v slowed="$slowed" 'BEGIN { exit !(slowed > 0 && lost <= slowed + 0.03) }'; then
				slow=$((slow + 1))
				of_twin="$of_twin (the host)"
			fi
			;;
		esac
	fi
	printf '%-8s %-22s %-16s %5.2f %5.2f%1s  %s\n' "$1" "$2" "$said" "$size" "$lost" "$mark" "$of_twin"
}

printf '%-8s %-22s %-16s %5s %5s   %s\n' program planted says size lost 'of its twin'
check threads imbalance-barrier imbalance none
check threads imbalance-condition imbalance none
# spinning is measured by samples: 1,000 of them give a size within 2 %, but not if they are taken in step with the program's steps of 1 ms, as at 997 Hz
OPTIONS='-F 1499' check threads imbalance-spinning imbalance none-spinning
check threads imbalance-end imbalance none-alone
check threads imbalance-one-calls imbalance none-one-calls
check threads serial-part serial-part none
check threads lock-mutex lock none-unlocked
check threads lock-rwlock lock none-unlocked
check threads lock-file lock none-unlocked
check threads lock-coarse lock none-unlocked
check threads barrier-fine barrier none
check threads barrier-condition barrier none
check threads sleep sleep none-alone
check threads sleep-until sleep none-alone
check threads io-timer io none-alone
check threads io-pipe io none-alone
check threads io-fsync io none-alone
check threads other-slower other-slower none-alone
check threads other-slower-all other-slower none-alone
check threads oversubscribed oversubscribed - 1,4
check threads oversubscribed-besides oversubscribed none-unlocked
check threads spin-besides spin none-unlocked
OPTIONS='--what-if units=1' check threads blas-queue blas-queue none-blas
OPTIONS='--what-if units=1' check threads blas-queue-barrier blas-queue none
check blas blas-queue blas-queue none
check blas blas-slower blas-slower none
check blas blas-bandwidth blas-bandwidth none
for openmp in gomp omp; do
	# at this rate, the default size of a copy of the stack is too small for frames of some of OpenBLAS's kernels
	OPTIONS='-F 1499' check $openmp imbalance imbalance none-dynamic
	OPTIONS='-F 1499' check $openmp imbalance-sections imbalance none-dynamic
	OPTIONS='-F 1499 --call-graph=dwarf,32768' check $openmp serial-part serial-part none-reduce
	OPTIONS='-F 1499 --call-graph=dwarf,32768' check $openmp serial-alike serial-part none-alike
	OPTIONS='-F 1499' check $openmp io-single io none
	check $openmp lock-critical lock none-critical
done
OPENBLAS_NUM_THREADS=2 check gomp pools-compete pools-compete -
OPENBLAS_NUM_THREADS=2 check omp pools-compete pools-compete -
check python gil gil none
check python gil-dictionary gil none
check python lock lock none-unlocked
check python imbalance imbalance none
check python imbalance-queue imbalance none
check python sleep sleep none
check joblib imbalance-threads imbalance none-threads
check joblib imbalance-processes imbalance none-processes
check torch torch-gil gil torch-none
check R imbalance imbalance none
check mpi imbalance imbalance none
check mpi messages mpi none
echo "right: $right of $cases; size within 10 %: $sized of $cases; twins without a cause: $quiet of $twins, without the planted one: $absent of $twins"
echo "twins whose own CPU time says that the host slows them down: $slow of $twins"
