# blocks-man.awk: extracts the examples of a manual page to N.shell, N.sql and N.c, and to N.needs what they need.
# SPDX-License-Identifier: MIT
#
# awk -v folder=DIR -f blocks-man.awk PAGE. Examples are between .EX and .EE in the section EXAMPLES. A comment before an
# example, .\" example: KIND, says that it is not for the shell; .\" example needs WHAT names something that not every
# machine has. Other text in no-fill mode is an error.
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
