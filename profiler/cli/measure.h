/* measure.h: what is to be measured, and how: --roi, --work, --what-if and --call-graph. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_MEASURE_H
#define CLI_MEASURE_H

#include "cli/command.h"
#include "record/record.h"

#define TIMELINE_SPANS	   16384 /* that a thread keeps, where nothing is said */
#define TIMELINE_SPANS_MAX 262144

/* Reads the arguments of --what-if, each a comma-separated list like "units=1,blas=1.5x". 0, or -1
 * with *err. */
int what_if_parse(const struct option_list *texts, struct what_if *what_if, struct error *err);

/* Reads the argument of --call-graph, as "fp", "dwarf", "dwarf,16384" or "none"; NULL: the default.
 * 0, or -1 with *err. */
int call_graph_parse(const char *text, struct record_options *options, struct error *err);

/* Checks --roi and --work before anything runs. 0, or -1 with *err: a name that is too long, a
 * regular expression that is none or has no group. */
int measure_check(const struct record_options *options, struct error *err);

/* Reads the argument of --timeline-keep, as "last,16384" or "first"; NULL: the default, where
 * `wanted`. 0, or -1 with *err. */
int timeline_parse(const char *text, int wanted, struct record_options *options, struct error *err);

/* all, forks or none, as enum follow_kind; NULL: all. 0, or -1 with *err. */
int follow_parse(const char *text, int *follow, struct error *err);

#endif
