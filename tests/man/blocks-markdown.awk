# blocks-markdown.awk: takes the commands out of a Markdown page: N.shell, N.quoted (what the page shows of their output).
# SPDX-License-Identifier: MIT
#
# awk -v folder=DIR -f blocks-markdown.awk PAGE. Commands stand in ```sh blocks, the output after them in ```text blocks.
# Comments of one line: <!-- needs WHAT --> before the commands says what only some machines have;
# <!-- ends STATUS... --> with which statuses they may end (else 0); <!-- varies --> before quoted output: it is not the
# same everywhere; <!-- expect PATTERN --> after either: what the output must have besides the quoted lines that have no
# figure in them.
/^<!-- needs / { needs = $3; next }
/^<!-- ends / { ends = $0; gsub(/[^0-9 ]/, "", ends); next }
/^<!-- expect / {
	sub(/^<!-- expect /, "")
	sub(/ -->$/, "")
	print >(name "expected")
	next
}
/^```sh$/ {
	count++
	name = sprintf("%s/%02d.", folder, count)
	file = name "shell"
	if (needs != "")
		print needs >(name "needs")
	if (ends != "")
		print ends >(name "ends")
	needs = ends = ""
	printf "" >file
	taking = 1
	next
}
/^<!-- varies -->/ { varies = 1; next }
/^```text$/ && varies { varies = 0; next }
/^```text$/ && count { file = name "quoted"; taking = 1; next }
/^```/ { taking = 0; next }
taking { print >file }
