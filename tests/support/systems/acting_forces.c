/* Random forces at hinges and between points (acting_forces.h). */
#include "tests/support/systems/acting_forces.h"

static void draw_table(rct_draw *draw, rct_force *f, double *table)
{
    f->rows = 2 + rct_draw_index(draw, ACTING_MOST_ROWS - 1);
    f->table = table;
    for (int64_t i = 0; i < f->rows; i++) {
        table[2 * i] = (i > 0 ? table[2 * i - 2] : -1.5) + rct_draw_between(draw, 0.1, 1.0);
        table[2 * i + 1] = rct_draw_between(draw, -2.0, 2.0);
    }
}

static void draw_friction(rct_draw *draw, rct_force *f)
{
    f->coulomb = rct_draw_between(draw, 0.1, 3.0);
    f->slip = rct_draw_between(draw, 0.1, 2.0);
    if (rct_draw_unit(draw) < 0.6) {
        f->breakaway = f->coulomb + rct_draw_unit(draw);
        f->stribeck = rct_draw_between(draw, 0.2, 2.0);
    }
}

static void draw_servo(rct_draw *draw, rct_force *f, int smooth, double *table)
{
    if (rct_draw_unit(draw) < 0.4) {
        draw_table(draw, f, table);
    } else {
        f->target = rct_draw_between(draw, -1.0, 1.0);
        f->target_rate = rct_draw_between(draw, -1.0, 1.0);
        f->amplitude = rct_draw_between(draw, -1.0, 1.0);
        f->angular_frequency = rct_draw_between(draw, 0.0, 5.0);
        f->phase = rct_draw_between(draw, -4.0, 4.0);
    }
    f->saturation = smooth || rct_draw_unit(draw) < 0.5 ? 0.0 : rct_draw_between(draw, 0.5, 10.0);
}

static void draw_drag(rct_draw *draw, rct_force *f)
{
    for (int k = 0; k < 3; k++) {
        f->at[k] = rct_draw_between(draw, -0.3, 0.3);
        f->end[k] = f->at[k] + rct_draw_between(draw, 0.1, 0.5);
        f->current[k] = rct_draw_between(draw, -2.0, 2.0);
    }
    f->diameter = rct_draw_between(draw, 0.02, 0.2);
    f->density = rct_draw_between(draw, 1.0, 100.0);
    f->normal = rct_draw_between(draw, 0.0, 1.5);
    f->tangential = rct_draw_between(draw, 0.0, 0.1);
}

rct_force any_acting(rct_draw *draw, int kind, int smooth, double *table)
{
    rct_force f = rct_force_default();
    f.type = (rct_force_type)(RCT_FORCE_FRICTION + kind);
    if (f.type == RCT_FORCE_LIMIT || f.type == RCT_FORCE_SERVO || f.type == RCT_FORCE_CABLE) {
        f.stiffness = rct_draw_between(draw, 1.0, 30.0);
        f.damping = smooth && f.type != RCT_FORCE_SERVO ? 0.0 : rct_draw_between(draw, 0.0, 3.0);
    }
    switch (f.type) {
    case RCT_FORCE_FRICTION: draw_friction(draw, &f); break;
    case RCT_FORCE_LIMIT:
        f.lower = rct_draw_between(draw, -1.0, 0.1);
        f.upper = f.lower + rct_draw_between(draw, 0.0, 0.5);
        break;
    case RCT_FORCE_SERVO: draw_servo(draw, &f, smooth, table); break;
    case RCT_FORCE_CURVE:
        f.over = (rct_curve_over)rct_draw_index(draw, 3);
        draw_table(draw, &f, table);
        break;
    case RCT_FORCE_CABLE:
        for (int k = 0; k < 3; k++) {
            f.at[k] = rct_draw_between(draw, -0.5, 0.5);
            f.other_at[k] = rct_draw_between(draw, -0.5, 0.5);
        }
        f.length = rct_draw_between(draw, 0.1, 1.5);
        break;
    default: draw_drag(draw, &f); break;
    }
    return f;
}

static int is_at_hinge(const rct_force *f)
{
    return f->type >= RCT_FORCE_FRICTION && f->type <= RCT_FORCE_CURVE;
}

/* The next body from `body` on whose hinge has axes, or is a ball; with one coordinate if required;
 * or -1. */
static int32_t with_axes(const rct_model *model, int32_t body, int balls, int32_t *freedoms)
{
    const int32_t count = rct_model_body_count(model);
    for (int32_t k = 0; k < count; k++) {
        const int32_t b = (body + k) % count;
        rct_body own = rct_body_default();
        rct_model_body(model, b, &own, NULL);
        *freedoms = own.hinge == RCT_HINGE_BALL ? balls : rct_hinge_freedoms(own.hinge);
        if (*freedoms > 0 && own.hinge != RCT_HINGE_FREE) {
            return b;
        }
    }
    return -1;
}

rct_status add_acting(rct_model *model, rct_draw *draw, int32_t count, int smooth)
{
    static const int all[] = {0, 1, 2, 3, 4, 5}, few[] = {0, 2, 3, 5};
    rct_status status = RCT_OK;
    for (int32_t k = 0; k < count && status == RCT_OK; k++) {
        double table[2 * ACTING_MOST_ROWS];
        int32_t freedoms = 0;
        const int32_t drawn = rct_draw_index(draw, rct_model_body_count(model));
        int kind = smooth ? few[k % 4] : all[k % ACTING_TYPES];
        rct_force f = any_acting(draw, kind, smooth, table);
        const int32_t body = with_axes(model, drawn, f.type == RCT_FORCE_FRICTION, &freedoms);
        if (is_at_hinge(&f) && body < 0) {
            kind = smooth ? RCT_FORCE_DRAG : RCT_FORCE_CABLE;
            f = any_acting(draw, kind - RCT_FORCE_FRICTION, smooth, table);
        }
        f.body = is_at_hinge(&f) ? body : drawn;
        f.coordinate = is_at_hinge(&f) ? rct_draw_index(draw, freedoms) : 0;
        f.other = f.type == RCT_FORCE_CABLE ? drawn - 1 : RCT_GROUND;
        status = rct_model_add_force(model, &f, NULL, NULL);
    }
    return status;
}
