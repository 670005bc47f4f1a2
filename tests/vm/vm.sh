# vm.sh: builds blasprof for arm64, boots an emulated arm64 machine that has hardware counters, and runs a script there.
# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# The tests of this folder source it; they run in the build directory. All files are in tests/vm/work there: packages (in the
# folder VM_CACHE if that is set, shared by several build directories), unpacked libraries, cross-built programs.

vm=$PWD/tests/vm/work
debs=${VM_CACHE:-$vm/debs}
source_dir=$(cd "$srcdir" && pwd)
root=$vm/share/root
libraries=/usr/lib/aarch64-linux-gnu

skip()
{
	echo "skipped: $*"
	exit 77
}

# Checks for the programs that the host needs; the list has lines of PROGRAM PACKAGE.
check_host()
{
	while read -r program package; do
		command -v "$program" >/dev/null || skip "no $program (package $package)"
	done <<-END
		qemu-system-aarch64 qemu-system-arm
		aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
		cpio cpio
		apt-get apt
		dpkg-deb dpkg
	END
}

# apt TOOL WORD...: runs a tool of apt with a separate state, for arm64 only.
apt()
{
	tool=$1
	shift
	APT_CONFIG=$vm/apt.conf "$tool" -qq "$@"
}

set_up_apt()
{
	mkdir -p "$vm/apt/lists/partial" "$vm/apt/cache/archives/partial"
	: >"$vm/apt/status"
	cat >"$vm/apt.conf" <<-END
		Dir::State "$vm/apt";
		Dir::State::status "$vm/apt/status";
		Dir::Cache "$vm/apt/cache";
		Dir::Etc::SourceParts "-";
		Dir::Etc::SourceList "$vm/sources.list";
		APT::Architecture "arm64";
		APT::Architectures "arm64";
		APT::Sandbox::User "root";
		Acquire::Languages "none";
	END
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main" \
		>"$vm/sources.list"
}

# Downloads the packages for the guest and its build: the libraries of packages.txt and their dependencies.
download()
{
	list=$source_dir/packages.txt
	packages=$(sed -n 's/^\(lib[^ ]*-dev\|check\) .*/\1/p' "$list")
	[ "$packages" = "$(cat "$debs/complete" 2>/dev/null)" ] && return
	mkdir -p "$debs"
	rm -f "$debs"/*.deb "$debs/complete"
	set_up_apt
	apt apt-get update || skip "the list of Debian's arm64 packages cannot be fetched"
	kernel=$(apt apt-cache depends linux-image-arm64 | sed -n 's/.*Depends: \(linux-image[^ ]*\)$/\1/p' | head -n 1)
	# shellcheck disable=SC2086 # the packages are words
	apt apt-get -y --no-install-recommends --download-only install busybox-static $packages >"$vm/apt.log" 2>&1 &&
		(cd "$debs" && apt apt-get download "$kernel") ||
		skip "Debian's arm64 packages cannot be fetched"
	mv "$vm"/apt/cache/archives/*.deb "$debs/"
	echo "$packages" >"$debs/complete"
}

unpack()
{
	[ "$vm/unpacked" -nt "$debs/complete" ] && return
	rm -rf "$vm/kernel" "$vm/share" "$vm/build"
	mkdir -p "$vm/kernel" "$root/tmp" "$root/proc" "$root/sys" "$root/dev"
	for package in "$debs"/*.deb; do
		case $package in
		*linux-image*)
			dpkg-deb --fsys-tarfile "$package" | tar -x -C "$vm/kernel" --wildcards './boot/vmlinuz*' \
				'./lib/modules/*/kernel/net/9p/*' './lib/modules/*/kernel/fs/9p/*' \
				'./lib/modules/*/kernel/fs/netfs/*' './lib/modules/*/kernel/fs/fscache/*' \
				'./lib/modules/*/kernel/drivers/virtio/*'
			;;
		*/libc6-dev_* | */linux-libc-dev_*) ;; # the cross compiler has its own
		*) dpkg-deb -x "$package" "$root" ;;
		esac
	done
	for applet in awk cat chmod cp cut diff echo env expr false grep head kill ls mkdir mount nice ps rm sed seq sh sleep \
		sort sysctl tail tee test tr true uname uniq wc; do
		ln -s busybox "$root/bin/$applet"
	done
	printf 'root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n' >"$root/etc/passwd"
	: >"$vm/unpacked"
}

# Makes the initial file system, which mounts the shared folder and runs a script in it by chroot.
make_initrd()
{
	[ "$vm/initrd.gz" -nt "$source_dir/tests/vm/init.sh" ] && [ "$vm/initrd.gz" -nt "$vm/unpacked" ] && return
	rm -rf "$vm/init"
	mkdir -p "$vm/init/bin" "$vm/init/dev" "$vm/init/proc" "$vm/init/sys" "$vm/init/mnt" "$vm/init/modules"
	cp "$root/bin/busybox" "$vm/init/bin/"
	ln -s busybox "$vm/init/bin/sh"
	cp "$source_dir/tests/vm/init.sh" "$vm/init/init"
	chmod +x "$vm/init/init"
	number=10
	for module in virtio/virtio_pci_modern_dev virtio/virtio_pci_legacy_dev virtio/virtio_pci \
		fs/netfs/netfs fs/fscache/fscache net/9p/9pnet net/9p/9pnet_virtio fs/9p/9p; do
		case $module in virtio/*) module=drivers/$module ;; esac
		cp "$vm"/kernel/lib/modules/*/kernel/$module.ko "$vm/init/modules/$number-${module##*/}.ko"
		number=$((number + 1))
	done
	(cd "$vm/init" && find . | cpio -o -H newc --quiet | gzip -1) >"$vm/initrd.gz"
}

# Builds incrementally from the source folder.
cross_build()
{
	mkdir -p "$vm/build"
	cd "$vm/build" || exit 99
	if [ ! -e Makefile ] || [ "$source_dir/configure" -nt Makefile ] || [ "$source_dir/tests/vm/vm.sh" -nt Makefile ]; then
		include=$root/usr/include
		folders=$(find "$root$libraries" -maxdepth 2 -name 'lib*.so' | sed 's|/[^/]*$||' | sort -u)
		link=
		for folder in $folders; do
			link="$link -L$folder -Wl,-rpath-link,$folder"
		done
		PKG_CONFIG_LIBDIR=$(find "$root$libraries" -name pkgconfig | tr '\n' ':') \
			PKG_CONFIG_SYSROOT_DIR=$root "$source_dir/configure" --host=aarch64-linux-gnu CC=aarch64-linux-gnu-gcc \
			CPPFLAGS="-isystem $include -isystem $include/aarch64-linux-gnu -isystem $include/aarch64-linux-gnu/openblas-pthread" \
			LDFLAGS="$link -L$root/lib/aarch64-linux-gnu -Wl,-rpath-link,$root/lib/aarch64-linux-gnu" >configure.log 2>&1 || build_failed configure.log
	fi
	"${MAKE:-make}" -j2 blasprof libblasprof.la workloads/train workloads/infer tests/shim/counts-openblas >make.log 2>&1 || build_failed make.log
	cd ../../.. || exit 99
	programs=$root/blasprof
	rm -rf "$programs"
	mkdir -p "$programs"
	cp "$vm/build/blasprof" "$vm/build/.libs/libblasprof.so" "$vm/build/workloads/train" \
		"$vm/build/workloads/infer" "$vm/build/tests/shim/counts-openblas" "$programs/"
	compile as_nobody as_nobody.c
	compile libtiny_blas.so tiny_blas.c -shared -fPIC -Wl,-soname,libtiny_blas.so
	compile loop loop.c "$programs/libtiny_blas.so" -pthread -Wl,-rpath,/blasprof
	cp "$source_dir"/tests/vm/guest*.sh "$programs/"
}

# compile RESULT SOURCE WORD...: compiles a program for the guest.
compile()
{
	result=$1
	source=$2
	shift 2
	aarch64-linux-gnu-gcc -O2 -Wall -Wextra -o "$programs/$result" "$source_dir/tests/vm/$source" "$@" || exit 99
}

build_failed()
{
	tail -n 20 "$1"
	echo "FAIL: blasprof does not build for aarch64"
	exit 1
}

prepare()
{
	check_host
	download
	unpack
	make_initrd
	cross_build
}

# boot SECONDS SCRIPT OPTION...: runs the guest script on a machine with these options, prints its output, and exits with
# its status.
boot()
{
	limit=$1
	script=$2
	shift 2
	echo "$script" >"$vm/share/script"
	timeout "$limit" qemu-system-aarch64 -machine virt -cpu max,pauth-impdef=on -m 768 -nodefaults -nographic \
		-no-reboot -serial stdio -monitor none -kernel "$vm"/kernel/boot/vmlinuz-* -initrd "$vm/initrd.gz" \
		-append "console=ttyAMA0 panic=-1 quiet" \
		-virtfs "local,path=$vm/share,mount_tag=host,security_model=none,multidevs=remap" \
		"$@" </dev/null >"$vm/$script.log" 2>&1
	tr -d '\r' <"$vm/$script.log"
	status=$(sed -n 's/^GUEST STATUS \([0-9]*\).*/\1/p' "$vm/$script.log")
	[ -n "$status" ] || echo "FAIL: the guest did not finish within $limit s"
	exit "${status:-1}"
}
