/* The answer of a reference or of a solver on the CPU for a model of any hinges at a time, and the
 * difference between two such answers. */
#ifndef RCT_TESTS_TREE_ANSWER_H
#define RCT_TESTS_TREE_ANSWER_H

#include <riccatree/reference.h>
#include <riccatree/solver.h>

/* Accelerations, hinge loads and derivatives of the rates. */
typedef struct tree_answer {
    double *linear, *angular, *force, *moment, *rates;
} tree_answer;

tree_answer tree_answer_by_reference(const rct_model *model, rct_reference reference, double time);
tree_answer tree_answer_by_solver(const rct_model *model, double time, rct_method method,
                                  int64_t segment, int32_t lanes);
void tree_answer_free(tree_answer a);

/* The largest difference, each quantity relative to its largest number in b. */
double tree_answer_distance(const rct_model *model, tree_answer a, tree_answer b);

#endif
