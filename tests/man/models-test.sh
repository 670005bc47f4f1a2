#!/bin/sh
# models-test.sh: recomputes every figure of blasprof-models(7), and looks for faults in the page.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
page=man/blasprof-models.7
template=$srcdir/man/blasprof-models.7.in
[ -e $page ] || exit 77

# All but the title, which holds the date and the version.
awk -v directory="$srcdir/tests/model/reference" -f "$srcdir/tests/man/models-page.awk" "$template" |
	LC_ALL=C awk -f "$srcdir/man/fold.awk" | grep -v '^\.TH' >"$work/wanted"
grep -v '^\.TH' $page >"$work/page"
[ "$(wc -l <"$work/wanted")" -ge 100 ] || fail "the page was not recomputed"
diff "$work/page" "$work/wanted" || fail "figures of $page (<) differ from those recomputed (>)"

# A figure that the template itself holds would be recomputed by nobody.
places=$(tr -cd @ <"$template" | wc -c)
[ "$places" -ge 60 ] || fail "the template has few places for figures"
sed 's/@[^@]*@//g; s/^\.\\".*//; /^\.I behaves like/d' "$template" >"$work/out"
! grep -nE '[0-9]\.[0-9]' "$work/out" || fail "the template has figures of its own"

# What the text says of the figures.
cell()
{
	awk -F '\t' -v key="$1" -v column="$2" 'index($0, key) == 1 { print $column }' $page
}
for chip in Pro Max; do
	[ "$(cell "M1 $chip" 6)" = above ] || fail "queue is not above the projection for the M1 $chip"
done
[ "$(cell "Python	train	0.15	4" 5),$(cell "Python	train	0.15	4" 8)" = 2.87,3.68 ] ||
	fail "training in Python is not 2.87 where queue says 3.68"
grep -q 'says 2\.13; the law gives' $page || fail "the published slip is not named"
grep -q '^2\.29' $page || fail "what the law gives instead is not named"

grep -q "^\.TH.* \"[0-9-]*\" \"blasprof $(sed -n 's/^PACKAGE_VERSION = //p' Makefile)\"" $page ||
	fail "the title lacks the date or the version"
if [ -n "$MANDOC" ]; then
	"$MANDOC" -Tlint -Wwarning $page || fail "$page has faults"
fi
if command -v man >/dev/null; then
	warnings=$(man --warnings -E UTF-8 -l -Tutf8 -Z $page 2>&1 >/dev/null)
	[ -z "$warnings" ] || fail "man warns: $warnings"
fi
for name in $(subcommands); do
	case $name in report | predict | compare)
		tr -d '\\' <man/blasprof-$name.1 | grep -q 'blasprof-models' ||
			fail "blasprof-$name(1) does not mention the page"
		;;
	esac
done
finish
