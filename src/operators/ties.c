/* Loops in derivatives of accelerations (tangent.h): their forces on bodies, and forms in the
 * motion of these bodies. */
#include "operators/tangent_parts.h"

#include <string.h>

/* Read the rows of two bodies, one behind the other. */
static void read_both(const double *rows, const int32_t body[2], double both[12])
{
    for (int e = 0; e < 2; e++) {
        memcpy(both + 6 * (int64_t)e, operator_row(rows, body[e]), 6 * sizeof *both);
    }
}

/* Add to the rows of two bodies; the ground has none. */
static void add_both(double factor, const double both[12], const int32_t body[2], double *rows)
{
    for (int e = 0; e < 2; e++) {
        if (body[e] != RCT_GROUND) {
            rct_add6(factor, both + 6 * (int64_t)e, rows + 6 * (int64_t)body[e]);
        }
    }
}

void rct_tangent_push_ties(const rct_tangent *t, double *F)
{
    for (int64_t k = 0; k < t->laws->ties; k++) {
        add_both(-1.0, t->laws->tie[k].wrench, t->laws->tie[k].body, F);
    }
}

/* Add to the motion of the operators, from their forces, through all ties; `rows` and `columns` are
 * the strides of their matrices. */
static void take_through(const rct_tangent *t, int rows, int columns)
{
    for (int64_t k = 0; k < t->laws->ties; k++) {
        const rct_operator_tie *tie = &t->laws->tie[k];
        double motion[12], change[12] = {0.0};
        read_both(t->op->motion, tie->body, motion);
        for (int i = 0; i < 144; i++) {
            change[i / 12] += tie->hold[i / 12 * rows + i % 12 * columns] * motion[i % 12];
        }
        add_both(-1.0, change, tie->body, t->op->force);
    }
}

void rct_tangent_change_ties(const rct_tangent *t)
{
    take_through(t, 12, 1);
}

void rct_tangent_gather_ties(const rct_tangent *t)
{
    take_through(t, 1, 12);
}

static double along(const double form[12], const double *rows, const int32_t body[2])
{
    double both[12];
    read_both(rows, body, both);
    return rct_dot6(form, both) + rct_dot6(form + 6, both + 6);
}

void rct_tangent_take_forms(const rct_tangent *t, double *change)
{
    for (int64_t k = 0; k < t->laws->forms; k++) {
        const rct_operator_form *form = &t->laws->form[k];
        change[k] = along(form->place, t->op->motion, form->body) +
                    along(form->rate, t->by_V, form->body) +
                    along(form->acceleration, t->by_alpha, form->body);
    }
}

void rct_tangent_give_forms(const rct_tangent *t, const double *z)
{
    for (int64_t k = 0; k < t->laws->forms; k++) { /* all of it belongs to -x . da */
        const rct_operator_form *form = &t->laws->form[k];
        add_both(-z[k], form->place, form->body, t->op->force);
        add_both(-z[k], form->rate, form->body, t->by_V);
        add_both(-z[k], form->acceleration, form->body, t->by_alpha);
    }
}
