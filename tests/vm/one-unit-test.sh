#!/bin/sh
# one-unit-test.sh: train under --what-if units=1 on an emulated machine of two CPUs on which every instruction takes one
# tick, so that neither caches nor other load change a time: replay must predict the speed-up within 5 %.
# SPDX-License-Identifier: MIT
#
# Run in the build directory of an x86-64 Linux by `make check-one-unit`. Bochs steps through both CPUs in turns of a few
# instructions and its clock counts these, so a busy host
# makes the figures come later, and not worse. They differ by some 3 % from boot to boot, by how the threads meet.
# ONE_UNIT_PLAIN=1 adds a sweep without what-if; ONE_UNIT_SECONDS is how long it may take.
work=$PWD/tests/vm/one-unit
limit=${ONE_UNIT_SECONDS:-1500}
root=$work/root

skip()
{
	echo "skipped: $*"
	exit 77
}

check_host()
{
	[ "$(uname -m)" = x86_64 ] || skip "this is no x86-64"
	[ -e /usr/lib/ISOLINUX/isolinux.bin ] || skip "no isolinux.bin (package isolinux)"
	[ -e /usr/lib/syslinux/modules/bios/ldlinux.c32 ] || skip "no ldlinux.c32 (package syslinux-common)"
	for program in bochs xorriso lz4 cpio apt-get dpkg-deb; do
		command -v $program >/dev/null || skip "no $program"
	done
}

# Debian's smallest kernel and busybox, kept in the work folder.
download()
{
	mkdir -p "$work/debs"
	[ -e "$work/debs/complete" ] && return
	kernel=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/.*Depends: \(linux-image[^ ]*\)$/\1/p' | head -n 1)
	(cd "$work/debs" && apt-get -qq download "$kernel" busybox-static 2>/dev/null) ||
		skip "Debian's kernel cannot be fetched"
	: >"$work/debs/complete"
}

# The programs of this build with their libraries, in a first file system on a disc that boots.
make_disc()
{
	rm -rf "$root" "$work/disc"
	mkdir -p "$root/proc" "$root/sys" "$root/dev" "$root/tmp" "$root/blasprof" "$work/disc/isolinux"
	dpkg-deb --fsys-tarfile "$work"/debs/busybox-static*.deb | tar -x -C "$root" ./bin/busybox
	ln -s busybox "$root/bin/sh"
	dpkg-deb --fsys-tarfile "$work"/debs/linux-image*.deb | tar -xO --wildcards './boot/vmlinuz*' >"$work/disc/vmlinuz"
	cp blasprof .libs/libblasprof.so workloads/train "$root/blasprof/"
	for library in $(ldd "$root"/blasprof/* | awk '/=> \// { print $3 } $1 ~ /^\// && !/:$/ { print $1 }' | sort -u); do
		mkdir -p "$root/$(dirname "$library")"
		cp -L "$library" "$root/$library"
	done
	cp "${srcdir:?}/tests/vm/one-unit-init.sh" "$root/init"
	chmod +x "$root/init"
	[ -z "$ONE_UNIT_PLAIN" ] || : >"$root/plain"
	(cd "$root" && find . | cpio -o -H newc --quiet | lz4 -l -q -) >"$work/disc/initrd"
	cp /usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/ldlinux.c32 "$work/disc/isolinux/"
	cat >"$work/disc/isolinux/isolinux.cfg" <<-'END_OF_MENU'
		default train
		prompt 0
		timeout 1
		label train
		  kernel /vmlinuz
		  append initrd=/initrd console=ttyS0,115200 panic=-1 mitigations=off nokaslr random.trust_cpu=on nohz=off tsc=reliable nowatchdog no_timer_check
	END_OF_MENU
	xorriso -as mkisofs -quiet -o "$work/disc.iso" -b isolinux/isolinux.bin -c isolinux/boot.cat -no-emul-boot \
		-boot-load-size 4 -boot-info-table "$work/disc" 2>"$work/xorriso.log" || exit 99
}

describe_machine()
{
	cat >"$work/machine" <<-END_OF_MACHINE
		megs: 512
		cpu: model=corei7_haswell_4770, count=2, ips=100000000, reset_on_triple_fault=0
		clock: sync=none
		romimage: file=/usr/share/bochs/BIOS-bochs-latest
		vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
		ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
		ata0-master: type=cdrom, path=$work/disc.iso, status=inserted
		boot: cdrom
		com1: enabled=1, mode=file, dev=$work/serial.log
		display_library: rfb, options="timeout=0"
		log: $work/bochs.log
		panic: action=fatal
		error: action=report
	END_OF_MACHINE
	echo c >"$work/commands" # Debian's Bochs begins in its debugger
}

# Until the guest is done, the machine stops, or the time is over.
boot()
{
	rm -f "$work/serial.log"
	bochs -q -f "$work/machine" -rc "$work/commands" </dev/null >"$work/console.log" 2>&1 &
	machine=$!
	trap 'kill $machine 2>/dev/null' EXIT
	trap 'exit 1' INT TERM
	seconds=0
	while [ $seconds -lt "$limit" ] && kill -0 $machine 2>/dev/null &&
		! grep -q '^ALL DONE' "$work/serial.log" 2>/dev/null; do
		sleep 1
		seconds=$((seconds + 1))
	done
	kill $machine 2>/dev/null
	wait $machine 2>/dev/null
	tr -d '\r' <"$work/serial.log" | grep '^FIGURES' >"$work/figures"
}

# Two sweeps under what-if, each within 5 %.
judge()
{
	awk '{
			printf "%s: f %s, two threads give %s, replay %s (%+.1f %%); BLAS without its queue takes %s times " \
				"as long in two threads, other code %s times\n", $2, $3, $4, $5, 100 * ($5 / $4 - 1), $6, $7
		}
		$2 == "no-what-if" { next }
		!($5 <= 1.05 * $4 && $5 >= 0.95 * $4) { print "FAIL: replay is not within 5 %"; bad = 1 }
		{ seen++ }
		END {
			if (seen != 2)
				print "FAIL: " seen + 0 " of 2 sweeps came to their end"
			exit bad || seen != 2
		}' "$work/figures"
}

check_host
download
make_disc
describe_machine
boot
judge
