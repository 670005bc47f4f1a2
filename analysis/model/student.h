/* student.h: the tails of Student's t distribution. */
/* SPDX-License-Identifier: MIT */
#ifndef MODEL_STUDENT_H
#define MODEL_STUDENT_H

/* The chance that |t| or more is seen with dof > 0 degrees of freedom (INFINITY: normal); NAN for
 * arguments that are not numbers. Good to 1e-12 for up to a hundred degrees of freedom, to 1e-6 for
 * any number of them. */
double student_tail(double t, double dof);
/* The t with 1 - confidence in both tails together; NAN unless 0 < confidence < 1 and dof > 0. */
double student_quantile(double confidence, double dof);

#endif
