# fold.awk: breaks a manual page's lines of text that are over 80 bytes, so that mandoc -Tlint has nothing to say.
# SPDX-License-Identifier: MIT
#
# Examples, tables and tags are not broken. A line is not broken after the end of a sentence, where roff would print two
# spaces, nor where the rest would look like a request.
/^\.(nf|EX|TS)/ { verbatim = 1 }
/^\.(fi|EE|TE)/ { verbatim = 0 }
{
	line = $0
	while (!verbatim && !tag && line !~ /^[.']/ && length(line) > 80) {
		place = 0
		for (i = 81; i > 1 && !place; i--)
			if (substr(line, i, 1) == " " && substr(line, i - 1, 1) !~ /[.!?)"' ]/ && substr(line, i + 1, 1) !~ /[.' ]/)
				place = i
		if (!place)
			break
		print substr(line, 1, place - 1)
		line = substr(line, place + 1)
	}
	print line
	tag = /^\.TP/
}
