/* Loops for a model of four bodies, and the fields of a loop, by number. */
#ifndef RCT_TESTS_LOOP_FIELDS_H
#define RCT_TESTS_LOOP_FIELDS_H

#include <riccatree/loop.h>

enum { BODIES = 4 };

/* A ball, a universal, a free and a fixed hinge. */
rct_model *four_bodies(void);

/* The error has this status, and its text contains these words. */
void expect_loop_words(const rct_error *error, rct_status status, const char *says);

/* A loop between the ground and body 1; it has a length or an outline if its type has one. */
rct_loop closure(rct_loop_type type);

/* On the universal hinge. */
static const rct_loop_term two_terms[2] = {{1, 0, 2.0}, {1, 1, -1.0}};

/* A relation of these terms. */
rct_loop relation(const rct_loop_term *terms, int32_t count);

/* One of the two. */
rct_loop of_type(rct_loop_type type);

/* A model with a loop refuses this one, says why, and stays unchanged. */
void expect_refused(rct_loop loop, const char *says);

/* All doubles of a loop, first those of closures. */
enum { NUMBERS = 27 };

double *number_of(rct_loop *l, int i);

/* The fields that types use, listed independently. */
int has(rct_loop_type type, int number);

#endif
