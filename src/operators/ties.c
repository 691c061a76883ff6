/* Loops in derivatives of accelerations (tangent.h): what they exert on their bodies, and forms in the motion of these. */
#include "operators/tangent_parts.h"

static int32_t end_of(int32_t body, int32_t other, int e)
{
    return e == 0 ? body : other;
}

/* Half `e` of a vector of both bodies to what that one has, unless it is the ground. */
static void add_end(int32_t body, double factor, const double both[12], int e, double *rows)
{
    if (body != RCT_GROUND) {
        rct_add6(factor, both + 6 * (int64_t)e, rows + 6 * (int64_t)body);
    }
}

void rct_tangent_push_ties(const rct_tangent *t, double *F)
{
    for (int64_t k = 0; k < t->laws->ties; k++) {
        const rct_operator_tie *tie = &t->laws->tie[k];
        add_end(tie->body, -1.0, tie->wrench, 0, F);
        add_end(tie->other, -1.0, tie->wrench, 1, F);
    }
}

/* Of both bodies, one behind the other. */
static void read_both(const double *rows, int32_t body, int32_t other, double both[12])
{
    const double *own = operator_row(rows, body), *its = operator_row(rows, other);
    for (int i = 0; i < 6; i++) {
        both[i] = own[i];
        both[6 + i] = its[i];
    }
}

void rct_tangent_change_ties(const rct_tangent *t)
{
    for (int64_t k = 0; k < t->laws->ties; k++) {
        const rct_operator_tie *tie = &t->laws->tie[k];
        double D[12], change[12] = {0.0};
        read_both(t->op->motion, tie->body, tie->other, D);
        for (int i = 0; i < 144; i++) {
            change[i / 12] += tie->hold[i] * D[i % 12];
        }
        add_end(tie->body, -1.0, change, 0, t->op->force);
        add_end(tie->other, -1.0, change, 1, t->op->force);
    }
}

void rct_tangent_gather_ties(const rct_tangent *t)
{
    for (int64_t k = 0; k < t->laws->ties; k++) {
        const rct_operator_tie *tie = &t->laws->tie[k];
        double Y[12], change[12] = {0.0};
        read_both(t->op->motion, tie->body, tie->other, Y);
        for (int i = 0; i < 144; i++) {
            change[i % 12] += tie->hold[i] * Y[i / 12];
        }
        add_end(tie->body, -1.0, change, 0, t->op->force);
        add_end(tie->other, -1.0, change, 1, t->op->force);
    }
}

/* Half `e` of x . (what that body has). */
static double along_end(const double *rows, int32_t body, const double both[12], int e)
{
    return rct_dot6(both + 6 * (int64_t)e, operator_row(rows, body));
}

void rct_tangent_take_forms(const rct_tangent *t, double *change)
{
    for (int64_t k = 0; k < t->laws->forms; k++) {
        const rct_operator_form *form = &t->laws->form[k];
        change[k] = 0.0;
        for (int e = 0; e < 2; e++) {
            const int32_t body = end_of(form->body, form->other, e);
            change[k] += along_end(t->op->motion, body, form->place, e) +
                         along_end(t->by_V, body, form->rate, e) +
                         along_end(t->by_alpha, body, form->acceleration, e);
        }
    }
}

void rct_tangent_give_forms(const rct_tangent *t, const double *z)
{
    for (int64_t k = 0; k < t->laws->forms; k++) {
        const rct_operator_form *form = &t->laws->form[k];
        for (int e = 0; e < 2; e++) { /* all of it is that of -x . da */
            const int32_t body = end_of(form->body, form->other, e);
            add_end(body, -z[k], form->place, e, t->op->force);
            add_end(body, -z[k], form->rate, e, t->by_V);
            add_end(body, -z[k], form->acceleration, e, t->by_alpha);
        }
    }
}
