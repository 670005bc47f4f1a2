#!/bin/sh
# kinds.sh: makes the folders in which the loader of each kind of program finds the preload library that is for it.
# SPDX-License-Identifier: MIT
#
# kinds.sh FOLDER CPU COMPILER...: below FOLDER/kinds, $LIB of ld.so(8) tells loaders apart. Those of this CPU's
# programs find ../libblasprof.so, and which.so, by which blasprof knows that they do; those of 32-bit programs, where
# one can be made here, a library that does nothing, for without any they complain in the program's output; those that
# know no $LIB find nothing, as musl's, which could not take it.
set -e
cd "$1"
cpu=$2
shift 2
rm -rf kinds
mkdir kinds
printf '.section .note.GNU-stack,"",@progbits\n' >kinds/nothing.s

# link FILE LIB NAME: makes NAME in that folder a link to a file of kinds.
link()
{
	mkdir -p "kinds/$2"
	ln -s "$(echo "$2" | sed 's,[^/]*,..,g')/$1" "kinds/$2/$3"
}

if "$@" -shared -nostdlib -o kinds/which.so -x c /dev/null 2>kinds/why; then
	for lib in lib lib64 "lib/$cpu-linux-gnu"; do
		link ../libblasprof.so "$lib" libblasprof.so
		link which.so "$lib" which.so
	done
fi
if [ "$cpu" = x86_64 ] && as --32 -o kinds/nothing.o kinds/nothing.s 2>kinds/why &&
	ld -m elf_i386 -shared -z noexecstack -o kinds/nothing32.so kinds/nothing.o 2>kinds/why; then
	for lib in lib/i386-linux-gnu lib32; do
		link nothing32.so "$lib" libblasprof.so
	done
fi
rm -f kinds/nothing.[so] kinds/why
