#!/bin/sh
# kinds.sh: makes the folders in which the loader of each kind of program finds its preload library.
# SPDX-License-Identifier: MIT
#
# kinds.sh FOLDER CPU COMPILER...: makes FOLDER/kinds, where loaders are told apart by $LIB of ld.so(8). Loaders of this
# CPU's programs find ../libblasprof.so there, and which.so, by which blasprof knows that they do. Loaders of 32-bit
# programs, and of the other CPU's in an emulator, find a library that does nothing, if it can be built: without one they
# print an error. Loaders without $LIB, like that of musl, find nothing, since they could not load the library.
set -e
cd "$1"
cpu=$2
shift 2
rm -rf kinds
mkdir kinds
printf '.section .note.GNU-stack,"",@progbits\n' >kinds/nothing.s

# link FILE LIB NAME: makes kinds/LIB/NAME a link to kinds/FILE.
link()
{
	mkdir -p "kinds/$2"
	ln -s "$(echo "$2" | sed 's,[^/]*,..,g')/$1" "kinds/$2/$3"
}

if "$@" -shared -nostdlib -Wl,-z,max-page-size=65536 -o kinds/which.so -x c /dev/null 2>kinds/why; then
	for lib in lib lib64 "lib/$cpu-linux-gnu"; do
		link ../libblasprof.so "$lib" libblasprof.so
		link which.so "$lib" which.so
	done
	case $cpu in x86_64) other=aarch64 number='\0267' ;; *) other=x86_64 number='\0076' ;; esac
	cp kinds/which.so kinds/nothing64.so # which has no code: only the number of the CPU in its header differs
	printf '%b\0' "$number" | dd of=kinds/nothing64.so bs=1 seek=18 conv=notrunc 2>kinds/why
	link nothing64.so "lib/$other-linux-gnu" libblasprof.so
fi
if [ "$cpu" = x86_64 ] && as --32 -o kinds/nothing.o kinds/nothing.s 2>kinds/why &&
	ld -m elf_i386 -shared -z noexecstack -o kinds/nothing32.so kinds/nothing.o 2>kinds/why; then
	for lib in lib/i386-linux-gnu lib32; do
		link nothing32.so "$lib" libblasprof.so
	done
fi
rm -f kinds/nothing.[so] kinds/why
