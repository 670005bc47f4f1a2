# blocks-man.awk: takes the examples out of a manual page: N.shell, N.sql, N.c, with N.needs where one needs something.
# SPDX-License-Identifier: MIT
#
# awk -v folder=DIR -f blocks-man.awk PAGE. Each line of an example is prefixed by what it is in the page: .EX begins
# one and .EE ends it, in the section EXAMPLES. A comment before it, .\" example: KIND, or .\" example needs WHAT,
# says what is no shell command, and what only some machines have. Anything else in no-fill mode there is a fault.
/^\.SH/ { inside = /EXAMPLES/ }
!inside { next }
/^\.\\" example: / { kind = $3; next }
/^\.\\" example needs / { needs = $4; next }
/^\.EX/ {
	count++
	name = sprintf("%s/%02d.", folder, count)
	file = name (kind == "" ? "shell" : kind)
	if (needs != "")
		print needs >(name "needs")
	kind = needs = ""
	printf "" >file
	taking = 1
	next
}
/^\.EE/ { taking = 0; close(file); next }
/^\.nf/ { print FILENAME ":" FNR ": an example is not between .EX and .EE" >"/dev/stderr"; exit 1 }
taking {
	gsub(/\\-/, "-")
	gsub(/\\&/, "")
	gsub(/\\\(aq/, "'")
	gsub(/\\e/, "\\")
	print >file
}
