/* models.h: speed-up models: numbers in, numbers out. */
/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MODELS_H
#define MODEL_MODELS_H

#include <stddef.h>

#include "model/fit.h"
#include "model/replay.h"
#include "model/stats.h"

/* In all: f in [0, 1] is the BLAS share of one thread's time, blocked time included (d of
 * blasprof-models(7)), n >= 1 threads, m > 0 matrix units that the threads share (INFINITY: no
 * limit). Each returns the speed-up over one thread that
 * has a whole unit for itself - so m < 1 gives less than 1 even for n = 1 -, or NAN for arguments
 * outside those ranges. m need not be whole (a fitted m is not): models.c says how queue and
 * forkjoin take it then. amdahl and inner do not depend on m. */
double model_amdahl(double f, int n, double m);
double model_bound(double f, int n, double m);
double model_queue(double f, int n, double m);
double model_forkjoin(double f, int n, double m);
double model_inner(double f, int n, double m);

/* How the threads of a program meet. */
enum meeting {
	MEET_FREELY,	 /* independent callers: at a unit, if anywhere */
	MEET_BARRIER,	 /* callers that all wait for one another after each step */
	MEET_ONE_CALLER, /* one caller, BLAS runs workers */
	MEET_BOTH,	 /* callers with BLAS workers besides */
	MEET_PIPELINE, /* each thread does another part of the work, and waits for its neighbours */
};

/* What is known of a program. */
struct model_input {
	struct interval d; /* BLAS share of one thread's time, blocked time included: f above */
	/* Share of the other code that runs on BLAS's threads as well; 0: it is serial. */
	double other_parallel;
	enum meeting meeting;
	int one_caller;		   /* one of several threads makes all calls, without workers */
	struct replay_pair *pairs; /* recorded at one thread */
	size_t npairs;		   /* 0: none */
	size_t replayed;	   /* calls that one replay counts */
	/* Between two barriers, of all threads together, or of each thread if they split each call;
	 * NAN if not known, and with one caller. */
	double calls_a_step;
	int split_calls; /* each thread makes every call, on its part of the data */
	double *stages;	 /* of a pipeline: what each part of the work takes, longest first */
	size_t nstages;
	/* Half the 95 % interval of one more run's throughput, and of the mean of those of one
	 * thread, as shares; NAN: not known. */
	double spread, base_spread;
	int has_usl; /* 0: nothing was fitted */
	struct usl_fit usl;
};

/* For struct model's cases. */
enum {
	FOR_FREE = 1 << MEET_FREELY,
	FOR_BARRIER = 1 << MEET_BARRIER,
	FOR_ONE_CALLER = 1 << MEET_ONE_CALLER,
	FOR_BOTH = 1 << MEET_BOTH,
	FOR_PIPELINE = 1 << MEET_PIPELINE,
	FOR_CALLERS = FOR_FREE | FOR_BARRIER | FOR_BOTH | FOR_PIPELINE,
	FOR_ALL = FOR_CALLERS | FOR_ONE_CALLER,
};

/* A model is one row here and its function in models.c. Columns, text, pictures and workbook are
 * made from the rows:
 * X(id, name, what a speed-up's interval comes from, one line for people, documentation of the
 * report's column, documentation of the column of predictions, the rest of struct model).
 * The columns of tables are stable: a new row goes to the last group, whose columns are at the end.
 */
#define MODELS_FIRST(X)                                                                            \
	X(AMDAHL, "amdahl", OF_F,                                                                  \
	  "BLAS wholly serial, no overlap: the published baseline, one unit",                      \
	  "predicted by Amdahl's law with BLAS as the serial part: the published baseline, for "   \
	  "one unit",                                                                              \
	  "predicted", .speedup = model_amdahl, .applies = FOR_ALL, .colour = 0xc0392b,            \
	  .formula = "1/(f+(1-f)/n)")                                                              \
	X(BOUND, "bound", OF_F, "the ceiling that no schedule can pass",                           \
	  "predicted: the ceiling that no schedule can pass", "predicted", .speedup = model_bound, \
	  .applies = FOR_ALL, .is_limit = 1, .formula = "IF(n*f<=m,n,m/f)")                        \
	X(QUEUE, "queue", OF_F, "independent threads queue for the shared units",                  \
	  "predicted: threads queue for the shared units", "predicted", .speedup = model_queue,    \
	  .applies = FOR_CALLERS, .chosen = FOR_FREE, .colour = 0x27865a)                          \
	X(FORKJOIN, "forkjoin", OF_F, "all threads meet at a barrier each step",                   \
	  "predicted: all threads meet at a barrier each step", "predicted",                       \
	  .speedup = model_forkjoin, .solve = model_steps, .needs = NEEDS_STEPS,                   \
	  .applies = FOR_CALLERS, .chosen = FOR_BARRIER)                                           \
	X(INNER, "inner", OF_F, "one caller, only BLAS runs in parallel",                          \
	  "predicted: only BLAS runs in parallel, and what shares its threads", "predicted",       \
	  .speedup = model_inner, .solve = model_pool, .needs = NEEDS_POOL,                        \
	  .applies = FOR_ONE_CALLER | FOR_BOTH, .chosen = FOR_ONE_CALLER,                          \
	  .formula = "1/((1-f)+f/n)")                                                              \
	X(REPLAY, "replay", OF_F, "threads replay the recorded calls on the shared units",         \
	  "predicted: threads replay the recorded calls on the shared units",                      \
	  "predicted from the recorded sequence of calls", .solve = model_replay,                  \
	  .needs = NEEDS_PAIRS, .applies = FOR_CALLERS, .chosen = FOR_FREE, .colour = 0x8e44ad)    \
	X(USL, "usl", OF_FIT, "the universal scalability law, fitted to the measured speed-ups",   \
	  "the universal scalability law, fitted to the measured speed-ups",                       \
	  "of the law fitted to the measured points", .solve = model_usl, .needs = NEEDS_USL,      \
	  .applies = FOR_ALL, .is_limit = 1)

#define MODELS_NEW(X)                                                                              \
	X(PIPELINE, "pipeline", OF_F, "each thread does another part of the work",                 \
	  "predicted: each thread does another part of the work, and the longest decides",         \
	  "predicted for a pipeline: the longest part decides", .solve = model_pipeline,           \
	  .needs = NEEDS_STAGES, .applies = FOR_PIPELINE, .chosen = FOR_PIPELINE)

#define MODEL_ROWS(X)                                                                              \
	MODELS_FIRST(X)                                                                            \
	MODELS_NEW(X)

enum model_id {
#define MODEL_ID(id, ...) MODEL_##id,
	MODEL_ROWS(MODEL_ID)
#undef MODEL_ID
		MODELS
};

enum model_ends { OF_F, OF_FIT };
enum model_needs { NEEDS_NOTHING, NEEDS_POOL, NEEDS_PAIRS, NEEDS_STEPS, NEEDS_STAGES, NEEDS_USL };

struct model {
	const char *name; /* "queue" */
	enum model_ends ends;
	const char *says; /* one line for people */
	/* A closed form; NULL: only solve. */
	double (*speedup)(double f, int n, double m);
	/* What needs more than f, and goes before the closed form; NULL: there is nothing better.
	 * Its interval is what comes from f. */
	struct interval (*solve)(const struct model_input *input, int n, double m);
	enum model_needs needs; /* what solve needs */
	int applies;		/* FOR_*: the programs whose reports show it */
	int chosen;   /* FOR_*: it is the model for these; the last that is known is taken */
	int is_limit; /* 1: a ceiling or a fit, whose error against the measured says little */
	unsigned int colour; /* 0xrrggbb of its line; 0: see model_colour() */
	const char *formula; /* for a spreadsheet, of f, n and m; NULL: none */
};
extern const struct model models[MODELS];

/* Is there what its solve() needs? Else its closed form holds. */
int model_is_solved(const struct model *model, const struct model_input *input);
/* Is there what the model needs? */
int model_is_known(const struct model *model, const struct model_input *input);
/* The calls of a thread between two barriers, for replay_scaled(). */
size_t model_step(const struct model_input *input, int n);
/* The speed-up of n threads on m units, without its interval. */
double model_value(const struct model *model, const struct model_input *input, int n, double m);
/* The same with its prediction interval: where the speed-up of one more run over those of one
 * thread would be, 95 of 100 times. It adds what f, m (by its ends, where it has them) and the
 * spread of runs contribute, each to its side (root of the sum of squares). The model that m was
 * fitted for has been drawn to the measured speed-ups, whatever f and the runs of one thread are:
 * these two add nothing, so the ends of a fitted m must be its own (own_low, own_high). All NAN
 * where the model is not known; without ends where f has none, or n is 1. */
struct interval model_solve(const struct model *model, const struct model_input *input, int n,
			    struct interval m);
/* The model that is made for the program; NULL where none is. */
const struct model *model_chosen(const struct model_input *input);

/* Returns the colour of the model's line in a picture for this program, or 0 if it is not drawn: it
 * has no colour and is not the chosen one, or reports do not show it. */
unsigned int model_colour(const struct model *model, const struct model_input *input);

#endif
