# blocks-markdown.awk: extracts the commands of a Markdown page to N.shell, and the output that it shows to N.quoted.
# SPDX-License-Identifier: MIT
#
# awk -v folder=DIR -f blocks-markdown.awk PAGE. Commands are in ```sh blocks, and their output follows in ```text blocks.
# Comments of one line control the test: before commands, <!-- needs WHAT --> names something that not every machine has,
# and <!-- ends STATUS... --> the exit statuses other than 0 that are allowed; before output, <!-- varies --> says that it
# is not compared; after either, <!-- expect PATTERN --> is a pattern that the output must contain. Of output that is
# compared, the lines without figures must occur.
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
