# read_tables.R: reads every table with read.csv() and writes its rows with their types: read_tables.R FROM TO.
# SPDX-License-Identifier: MIT
arguments <- commandArgs(trailingOnly = TRUE)

# Writes numbers with all digits, and texts in quotes, so that both can be told apart.
cell <- function(value) {
	if (is.na(value)) return("null")
	if (is.numeric(value)) return(format(value, digits = 17, scientific = TRUE))
	encodeString(as.character(value), quote = "\"")
}

for (path in list.files(arguments[1], pattern = "[.]csv$", full.names = TRUE)) {
	table <- read.csv(path, encoding = "UTF-8", check.names = FALSE)
	lines <- vapply(seq_len(nrow(table)), function(row)
		paste0("[", paste(vapply(table[row, , drop = FALSE], cell, ""), collapse = ","), "]"), "")
	heading <- paste0("[", paste(encodeString(names(table), quote = "\""), collapse = ","), "]")
	writeLines(c(heading, lines), file.path(arguments[2], sub("[.]csv$", ".types", basename(path))), useBytes = TRUE)
}
