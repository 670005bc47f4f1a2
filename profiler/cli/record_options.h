/* record_options.h: reads the options that say what is recorded: --roi, --work, --what-if, ... */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_RECORD_OPTIONS_H
#define CLI_RECORD_OPTIONS_H

#include "cli/command.h"
#include "record/record.h"

#define TIMELINE_SPANS	   16384 /* kept of each thread by default */
#define TIMELINE_SPANS_MAX 262144

/* Each: 0, or -1 with *err and a remedy. `text` is the option's argument; NULL: the default. */

/* "fp", "dwarf", "dwarf,16384" or "none". */
int call_graph_parse(const char *text, struct record_options *options, struct error *err);
/* "all", "forks" or "none", as enum follow_kind. */
int follow_parse(const char *text, int *follow, struct error *err);
/* Each text is a comma-separated list like "units=1,blas=1.5x". */
int what_if_parse(const struct option_list *list, struct what_if *what_if, struct error *err);

/* Checks --roi, --work and --uprobes before anything runs: a name that is too long, a regular
 * expression that is none or has no group, what uprobes cannot see. */
int record_options_check(const struct record_options *options, struct error *err);

#endif
