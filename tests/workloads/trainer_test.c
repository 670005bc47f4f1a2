/* trainer_test.c: threads share the work, and the result does not depend on timing. */
/* SPDX-License-Identifier: MIT */

#include "blas_threads.h"
#include "step.h"
#include "tests/unit.h"
#include "text.h"
#include "trainer.h"
#include "wrapped.h"

static struct text text;
static struct trainer trainer;

static void setup(void)
{
	struct failure failure;

	blas_threads_set(1);
	ck_assert_int_eq(text_generate(&text, 4096, 3, &failure), 0);
	trainer = (struct trainer){
		.shape = {16, 16, 24, 2, 4, 2, text.vocabulary, ROUTING_SEQUENCE, 0},
		.text = &text,
		.seed = 9,
		.steps = 40,
		.threads = 1,
		.trains = true,
	};
}

static void teardown(void)
{
	text_free(&text);
}

static struct trainer_result run(int threads, bool together, long steps)
{
	struct trainer_result result;
	struct failure failure;

	trainer.threads = threads;
	trainer.together = together;
	trainer.steps = steps;
	ck_assert_int_eq(trainer_run(&trainer, &result, &failure), 0);
	ck_assert_double_gt(result.seconds, 0);
	return result;
}

FIXTURE(setup, teardown)

TEST_EACH(one_seed_gives_one_result, ROUTING_TOKEN + 1)
{
	trainer.shape.routing = (enum routing)_i;
	for (int threads = 1; threads <= 3; threads++)
		for (int together = 0; together <= 1; together++) {
			struct trainer_result one = run(threads, together, 40);
			struct trainer_result other = run(threads, together, 40);

			ck_assert(one.loss == other.loss);
			ck_assert(one.loss_after == other.loss_after);
			ck_assert_double_lt(one.loss_after, one.loss_before);
		}
}

/* The sums have another order, so that each of 40 steps may change a parameter by another rounding,
 * and the loss of a step by little more than its own rounding. The first step uses the same model.
 */
TEST(fusion_changes_no_more_than_rounding)
{
	struct trainer_result fused = run(2, true, 40), unfused;

	trainer.shape.unfused = true;
	unfused = run(2, true, 40);
	ck_assert_double_eq_tol(fused.loss, unfused.loss, 1e-4 * fused.loss);
	ck_assert_double_lt(unfused.loss_after, unfused.loss_before);
	fused = run(1, false, 1);
	trainer.shape.unfused = false;
	unfused = run(1, false, 1);
	ck_assert_double_eq_tol(fused.loss, unfused.loss, 1e-6 * fused.loss);
}

TEST(another_seed_gives_another_result)
{
	struct trainer_result one = run(1, false, 4);

	trainer.seed++;
	ck_assert(one.loss != run(1, false, 4).loss);
}

TEST(one_thread_trains_alike_in_both_modes)
{
	struct trainer_result alone = run(1, false, 40), together = run(1, true, 40);

	ck_assert(alone.loss == together.loss);
	ck_assert(alone.loss_after == together.loss_after);
}

/* Steps, threads. */
static const int splits[][2] = {{6, 2}, {5, 3}, {2, 4}, {7, 1}};

TEST_EACH(the_work_is_the_same_however_it_is_split, COUNT(splits))
{
	const int steps = splits[_i][0], threads = splits[_i][1];
	const int calls = shape_all_calls(&trainer.shape, 1);
	int before = wrapped_now().sgemm;

	run(threads, false, steps);
	ck_assert_int_eq(wrapped_now().sgemm - before, steps * calls);
	before = wrapped_now().sgemm;
	run(threads, true, steps);
	ck_assert_int_eq(wrapped_now().sgemm - before, steps * calls);
}

TEST(inference_gives_the_same_loss_on_any_number_of_threads)
{
	double loss;

	trainer.trains = false;
	loss = run(1, false, 10).loss;
	for (int threads = 2; threads <= 4; threads++)
		ck_assert_double_eq_tol(run(threads, false, 10).loss, loss, 1e-12);
	ck_assert_int_eq(wrapped_now().sgemm, 4 * 10 * shape_all_calls(&trainer.shape, 0));
}

TEST(more_steps_take_no_more_allocations)
{
	int before, few, many;

	for (int together = 0; together <= 1; together++) {
		before = wrapped_now().allocations;
		run(2, together, 2);
		few = wrapped_now().allocations - before;
		run(2, together, 40);
		many = wrapped_now().allocations - before - few;
		ck_assert_int_gt(few, 0);
		ck_assert_int_eq(many, few);
	}
}

static const uint8_t *sample(long step)
{
	return text_sample(&text, (size_t)trainer.shape.tokens + 1, trainer.seed, step);
}

TEST(all_reduce_updates_by_the_mean_gradient)
{
	struct activations activations;
	struct parameters sum, other;
	struct model model;
	double loss = 0;

	ck_assert_int_eq(model_alloc(&model, &trainer.shape, 1, trainer.seed), 0);
	ck_assert_int_eq(activations_alloc(&activations, &trainer.shape), 0);
	ck_assert_int_eq(parameters_alloc(&sum, &trainer.shape), 0);
	ck_assert_int_eq(parameters_alloc(&other, &trainer.shape), 0);
	sum.summed = true;
	for (long round = 0; round < 3; round++) {
		loss += step_forward(&model, &activations, sample(2 * round));
		step_backward(&model, &sum, &activations, sample(2 * round));
		loss += step_forward(&model, &activations, sample(2 * round + 1));
		step_backward(&model, &other, &activations, sample(2 * round + 1));
		for (size_t i = 0; i < sum.length; i++)
			sum.base[i] += other.base[i];
		model.steps++;
		step_update(&model, &sum, 0.5f, 0, sum.length);
	}
	ck_assert_double_eq_tol(run(2, true, 6).loss, loss / 6, 1e-12);
	parameters_free(&sum);
	parameters_free(&other);
	activations_free(&activations);
	model_free(&model);
}
