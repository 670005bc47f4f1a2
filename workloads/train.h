/* train.h: what train is, with MPI and without. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_TRAIN_H
#define WORKLOADS_TRAIN_H

/* A struct program. */
#define TRAIN_PROGRAM                                                                              \
	{                                                                                          \
		.name = "train",                                                                   \
		.does = "Trains a mixture-of-experts transformer on the characters of a text, on " \
			"cblas_sgemm.",                                                            \
		.unit = "trn/s", .steps = 3000, .trains = true,                                    \
	}

#endif
