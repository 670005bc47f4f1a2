#!/bin/sh
# packages-test.sh: configure looks for the packages in packages.txt, and quickstart installs or names them.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

sed -n 's/^\([^# ][^ ]*\)  *\([^ ]*\) .*/\2/p' "$srcdir/packages.txt" | sort >"$work/listed"
sed -n 's/.*BLASPROF_\(MISSING\|OPTIONAL\|PACKAGE\|MODULE\|LIBRARY\|PROGRAM\)(\(\[[A-Z0-9_]*\], \)*\[\([a-z][a-z0-9-]*\)\].*/\3/p' \
	"$srcdir/configure.ac" | sort -u >"$work/used"
[ "$(wc -l <"$work/used")" -ge 10 ] || fail "found few dependencies in configure.ac"
unlisted=$(comm -13 "$work/listed" "$work/used" | tr '\n' ' ')
[ -z "$unlisted" ] || fail "configure.ac looks for packages that packages.txt does not list: $unlisted"
# configure itself needs these.
unused=$(comm -23 "$work/listed" "$work/used" | tr '\n' ' ')
[ "$unused" = "autoconf automake libc libtool make " ] || fail "nothing looks for: $unused"

# quickstart on a machine without one package, which substitutes of the tools simulate.
mkdir "$work/bin" "$work/tree"
cp "$srcdir/quickstart" "$srcdir/packages.txt" "$work/tree"
tool()
{
	printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}
tool dpkg-query 'case $* in *libdw-dev*) exit 1 ;; *) printf installed ;; esac'
tool apt-cache 'exit 0'
tool apt-get "echo \"\$@\" >>'$work/apt'; exit 100"
tool id 'echo 1000'
expect 1 env PATH="$work/bin:$PATH" "$work/tree/quickstart"
expect_says err "libdw-dev"
[ ! -e "$work/apt" ] || fail "quickstart calls apt-get without being root"
tool id 'echo 0'
expect 1 env PATH="$work/bin:$PATH" "$work/tree/quickstart" check
grep -q 'install .* libdw-dev$' "$work/apt" || fail "quickstart does not install exactly what is missing"
grep -q 'update' "$work/apt" || fail "quickstart does not try again with new package lists"
expect 1 "$work/tree/quickstart" bogus
expect_says err bogus
# At the end, it says where the program is.
mkdir -p "$work/tree/build/workloads"
touch "$work/tree/configure" "$work/tree/build/Makefile"
tool dpkg-query 'printf installed'
tool make 'exit 0'
ln -s "$work/bin/make" "$work/tree/build/blasprof"
expect 0 env PATH="$work/bin:$PATH" "$work/tree/quickstart"
tail -n 1 "$work/out" >"$work/last"
expect_says last 'build/blasprof.*make -C build install'
finish
