#!/bin/sh
# init.sh: the first process of the guest: mounts file systems, runs the script, and switches the machine off.
# SPDX-License-Identifier: MIT
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
$b mount -t devtmpfs dev /dev
exec </dev/console >/dev/console 2>&1
for module in /modules/*; do
	$b insmod "$module" || echo "cannot load $module"
done
$b mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,cache=loose host /mnt || echo "cannot mount the shared folder"
root=/mnt/root
$b mount -t proc proc $root/proc
$b mount -t sysfs sys $root/sys
$b mount -t cgroup2 cgroup2 $root/sys/fs/cgroup
$b mount -t devtmpfs dev $root/dev
$b mount -t tmpfs -o mode=1777 tmp $root/tmp
$b ip link set lo up
PATH=/bin:/usr/bin LD_LIBRARY_PATH=/usr/lib/aarch64-linux-gnu/openblas-pthread HOME=/tmp \
	$b chroot $root /bin/sh /blasprof/guest.sh "$($b cat /mnt/script)"
echo "GUEST STATUS $?"
$b sync
$b poweroff -f
