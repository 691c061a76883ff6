/* Random models with everything that a model can hold (any_model.h). */
#include "tests/support/systems/any_model.h"

#include "tests/support/systems/acting_forces.h"

#include <math.h>
#include <stdio.h>

static double any_number(rct_draw *draw)
{
    const double numbers[] = {0.0, -0.0, 1.0, -2.0, 0.1};
    const int32_t k = rct_draw_index(draw, 10);
    const double size = rct_draw_log(draw, 20) / 1024.0;
    return k < 5 ? numbers[k] : size * rct_draw_between(draw, -1.0, 1.0);
}

static void fill(rct_draw *draw, double *x, int count)
{
    for (int i = 0; i < count; i++) {
        x[i] = any_number(draw);
    }
}

static void fill_positive(rct_draw *draw, double *x, int count)
{
    for (int i = 0; i < count; i++) {
        x[i] = fabs(any_number(draw));
    }
}

/* Any length but zero. */
static void fill_direction(rct_draw *draw, double *x, int count)
{
    const double size = rct_draw_log(draw, 40) / 1048576.0;
    rct_draw_on_sphere(draw, x, count);
    for (int i = 0; i < count && rct_draw_unit(draw) < 0.7; i++) {
        x[i] *= size;
    }
}

/* Whether two directions are less than about 0.01 rad apart, which no universal hinge may be. */
static int are_near(const double a[3], const double b[3])
{
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2],
                 z = a[0] * b[1] - a[1] * b[0];
    const double aa = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    const double bb = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
    return x * x + y * y + z * z < 1e-4 * aa * bb;
}

static void fill_hinge(rct_draw *draw, rct_body *body)
{
    const int n = rct_hinge_freedoms(body->hinge);
    fill(draw, body->hinge_at, 3);
    fill_direction(draw, body->hinge_orientation, 4);
    if (n == 0) {
        return;
    }
    fill_direction(draw, body->hinge_axis, 3);
    if (body->hinge == RCT_HINGE_UNIVERSAL || body->hinge == RCT_HINGE_PLANAR) {
        do {
            fill_direction(draw, body->hinge_axis2, 3);
        } while (body->hinge == RCT_HINGE_UNIVERSAL &&
                 are_near(body->hinge_axis, body->hinge_axis2));
    }
    if (body->hinge == RCT_HINGE_HELICAL) {
        fill(draw, &body->hinge_pitch, 1);
    }
    fill(draw, body->position, n);
    fill(draw, body->rate, n);
    fill_positive(draw, body->stiffness, n);
    fill(draw, body->rest, n);
    fill_positive(draw, body->damping, n);
    fill(draw, body->applied, n);
}

rct_body any_body(rct_draw *draw, rct_hinge_type type, int32_t parent)
{
    rct_body body = rct_body_default();
    body.parent = type == RCT_HINGE_FREE ? RCT_GROUND : parent;
    body.hinge = type;
    body.mass = rct_draw_log(draw, 10);
    fill(draw, body.com, 3);
    for (int i = 0; i < 3; i++) {
        body.inertia[i] = body.mass * rct_draw_between(draw, 1.0, 1.9);
    }
    if (type == RCT_HINGE_BALL || type == RCT_HINGE_FREE) {
        fill_direction(draw, body.orientation, 4);
        fill(draw, body.angular_velocity, 3);
        fill(draw, type == RCT_HINGE_FREE ? body.position : body.hinge_at, 3);
        if (type == RCT_HINGE_FREE) {
            fill(draw, body.rate, 3);
        } else {
            fill_positive(draw, body.damping, 1);
        }
    } else {
        fill_hinge(draw, &body);
    }
    return body;
}

rct_force any_force(rct_draw *draw, int32_t bodies)
{
    rct_force force = rct_force_default();
    force.body = rct_draw_index(draw, bodies);
    fill(draw, force.at, 3);
    if (rct_draw_unit(draw) < 0.5) {
        force.in_body_axes = rct_draw_index(draw, 2);
        fill(draw, force.force, 3);
        fill(draw, force.moment, 3);
    } else {
        force.type = RCT_FORCE_SPRING;
        force.other = force.body - 1; /* or the ground */
        if (rct_draw_unit(draw) < 0.3) {
            force.other = force.body;
            force.body = RCT_GROUND;
        }
        fill(draw, force.other_at, 3);
        fill_positive(draw, &force.stiffness, 1);
        fill_positive(draw, &force.damping, 1);
        fill_positive(draw, &force.length, 1);
    }
    return force;
}

/* Coordinates of hinges with axes, each once; returns their number. */
static int32_t fill_terms(rct_draw *draw, const rct_model *model, rct_loop_term *terms)
{
    const int32_t wanted = 1 + rct_draw_index(draw, ANY_TERMS);
    int32_t count = 0;
    for (int32_t b = rct_model_body_count(model) - 1; b >= 0 && count < wanted; b--) {
        rct_body body;
        rct_model_body(model, b, &body, NULL);
        const int with_axes = body.hinge > RCT_HINGE_BALL && body.hinge != RCT_HINGE_FREE;
        for (int32_t k = 0; with_axes && k < rct_hinge_freedoms(body.hinge) && count < wanted;
             k++) {
            const double factor = any_number(draw);
            terms[count++] = (rct_loop_term){b, k, factor != 0.0 ? factor : 1.0};
        }
    }
    return count;
}

static int one_of(rct_loop_type type, int types)
{
    return (1 << type & types) != 0;
}

/* The coordinates of relations. */
enum { MOTION_ROWS = 4 };
static const double motion[2 * MOTION_ROWS] = {-1.0, 0.5, 0.0, 0.25, 0.125, 0.0, 3.0, -2.0};

rct_loop any_loop(rct_draw *draw, const rct_model *model, rct_loop_type type,
                  rct_loop_term terms[ANY_TERMS])
{
    enum {
        PLAIN = 1 << RCT_LOOP_BALL | 1 << RCT_LOOP_DISTANCE,
        TWO_AXES = 1 << RCT_LOOP_UNIVERSAL | 1 << RCT_LOOP_SLOT | 1 << RCT_LOOP_PLANAR_PRISMATIC |
                   1 << RCT_LOOP_CAM
    };
    const int32_t bodies = rct_model_body_count(model);
    rct_loop loop = rct_loop_default();
    loop.type = type;
    loop.active = rct_draw_index(draw, 4) > 0;
    if (type == RCT_LOOP_RELATION) {
        loop.terms = terms;
        loop.term_count = fill_terms(draw, model, terms);
        fill(draw, &loop.offset, 1);
        fill(draw, &loop.rate, 1);
        fill(draw, &loop.acceleration, 1);
        if (rct_draw_unit(draw) < 0.3) {
            fill(draw, &loop.amplitude, 1);
            fill(draw, &loop.angular_frequency, 1);
            fill(draw, &loop.phase, 1);
        } else if (rct_draw_unit(draw) < 0.4) {
            loop.offset = loop.rate = loop.acceleration = 0.0;
            loop.rows = MOTION_ROWS, loop.table = motion;
        }
        return loop;
    }
    loop.body = rct_draw_index(draw, bodies);
    loop.other = loop.body - 1 - rct_draw_index(draw, loop.body + 1); /* or the ground */
    fill(draw, loop.at, 3);
    fill(draw, loop.other_at, 3);
    if (!one_of(type, PLAIN)) {
        fill_direction(draw, loop.orientation, 4);
        fill_direction(draw, loop.other_orientation, 4);
    }
    if (!one_of(type, PLAIN | 1 << RCT_LOOP_FIXED)) {
        fill_direction(draw, loop.axis, 3);
    }
    if (one_of(type, TWO_AXES)) {
        fill_direction(draw, loop.axis2, 3);
    }
    loop.length = type == RCT_LOOP_DISTANCE ? rct_draw_between(draw, 0.1, 3.0) : 0.0;
    loop.radius = type == RCT_LOOP_CAM ? rct_draw_between(draw, 1.0, 3.0) : 0.0;
    for (int k = 0; k < RCT_LOOP_HARMONICS && type == RCT_LOOP_CAM; k++) {
        loop.cosine[k] = rct_draw_between(draw, -0.05, 0.05);
        loop.sine[k] = rct_draw_between(draw, -0.05, 0.05);
    }
    return loop;
}

/* Up to six loops, some named; relations where some hinge has axes. */
static rct_status add_loops(rct_model *model, rct_draw *draw, rct_error *error)
{
    rct_status status = RCT_OK;
    for (int32_t k = rct_draw_index(draw, 7); k > 0 && status == RCT_OK; k--) {
        rct_loop_term terms[ANY_TERMS];
        const rct_loop_type type = (rct_loop_type)rct_draw_index(draw, RCT_LOOP_TYPES);
        rct_loop loop = any_loop(draw, model, type, terms);
        char name[32];
        snprintf(name, sizeof name, "closing \"%d\"", (int)k);
        loop.name = rct_draw_unit(draw) < 0.5 ? name : NULL;
        if (type != RCT_LOOP_RELATION || loop.term_count > 0) {
            status = rct_model_add_loop(model, &loop, NULL, error);
        }
    }
    return status;
}

rct_event any_event(rct_draw *draw, const rct_model *model)
{
    const int32_t bodies = rct_model_body_count(model), loops = rct_model_loop_count(model);
    rct_event event = rct_event_default();
    rct_loop_term term[ANY_TERMS];
    event.type = (rct_event_type)rct_draw_index(draw, RCT_EVENT_TYPES);
    event.value = rct_draw_between(draw, 0.1, 3.0);
    event.loop = rct_draw_index(draw, loops);
    event.state = (rct_loop_state)rct_draw_index(draw, RCT_LOOP_STATES);
    event.again = rct_draw_index(draw, 2);
    if (event.type == RCT_EVENT_COORDINATE && fill_terms(draw, model, term) == 0) {
        event.type = RCT_EVENT_TIME;
    }
    if (event.type != RCT_EVENT_TIME) {
        event.way = (rct_event_way)rct_draw_index(draw, RCT_EVENT_WAYS);
    }
    if (event.type == RCT_EVENT_COORDINATE) {
        event.body = term[0].body;
        event.coordinate = term[0].freedom;
        fill(draw, &event.value, 1);
    } else if (event.type == RCT_EVENT_DISTANCE) {
        event.body = rct_draw_index(draw, bodies);
        event.other = event.body - 1 - rct_draw_index(draw, event.body + 1); /* or the ground */
        fill(draw, event.at, 3);
        fill(draw, event.other_at, 3);
    } else if (event.type == RCT_EVENT_FORCE) {
        event.of = rct_draw_index(draw, loops);
        event.state = event.of == event.loop ? RCT_LOOP_RELEASED : event.state;
    }
    return event;
}

/* Up to four, some named. */
static rct_status add_events(rct_model *model, rct_draw *draw, rct_error *error)
{
    const int32_t most = rct_model_loop_count(model) > 0 ? 5 : 1;
    rct_status status = RCT_OK;
    for (int32_t k = rct_draw_index(draw, most); k > 0 && status == RCT_OK; k--) {
        rct_event event = any_event(draw, model);
        char name[32];
        snprintf(name, sizeof name, "then \"%d\"", (int)k);
        event.name = rct_draw_unit(draw) < 0.5 ? name : NULL;
        status = rct_model_add_event(model, &event, NULL, error);
    }
    return status;
}

rct_base any_base(rct_draw *draw, int32_t rows, double *table)
{
    rct_base base = rct_base_default();
    fill_direction(draw, base.axis, 3);
    base.rows = rows;
    base.table = table;
    double time = rct_draw_between(draw, -2.0, 2.0);
    for (int32_t i = 0; i < rows; i++) {
        time += rct_draw_between(draw, 0.05, 1.0);
        table[5 * i] = time;
        for (int k = 1; k < 5; k++) {
            table[5 * i + k] = rct_draw_between(draw, -2.0, 2.0);
        }
    }
    if (rows == 0) {
        fill(draw, base.velocity, 3);
        fill(draw, base.acceleration, 3);
        fill(draw, &base.rate, 1);
        fill(draw, &base.angular_acceleration, 1);
    }
    return base;
}

/* Every third body or so has one shape or two, the same as the body before or others. */
static rct_status add_shapes(rct_model *model, rct_draw *draw, rct_error *error)
{
    rct_status status = RCT_OK;
    rct_shape shape = rct_shape_default();
    int32_t count = 0;
    for (int32_t b = 0; b < rct_model_body_count(model) && status == RCT_OK; b++) {
        if (b == 0 || rct_draw_unit(draw) < 0.5) {
            shape = rct_shape_default();
            shape.type = (rct_shape_type)rct_draw_index(draw, RCT_SHAPE_TYPES);
            fill(draw, shape.at, 3);
            fill_direction(draw, shape.orientation, 4);
            const int box = shape.type == RCT_SHAPE_BOX, ball = shape.type == RCT_SHAPE_SPHERE;
            shape.radius = box ? 0.0 : rct_draw_between(draw, 0.1, 2.0);
            shape.length = box || ball ? 0.0 : rct_draw_between(draw, 0.1, 2.0);
            for (int i = 0; i < 3 && box; i++) {
                shape.size[i] = rct_draw_between(draw, 0.1, 2.0);
            }
            count = rct_draw_unit(draw) < 0.6 ? 0 : 1 + rct_draw_index(draw, 2);
        }
        for (int32_t k = 0; k < count && status == RCT_OK; k++) {
            shape.body = b;
            status = rct_model_add_shape(model, &shape, NULL, error);
        }
    }
    return status;
}

/* One body, or a run of them: each on the one before or all on one, with the same name or none. */
static rct_status add_run(rct_model *model, rct_draw *draw, int32_t room, rct_error *error)
{
    const int32_t first = rct_model_body_count(model);
    const rct_hinge_type type = (rct_hinge_type)rct_draw_index(draw, RCT_HINGE_TYPES);
    rct_body body = any_body(draw, type, rct_draw_index(draw, first + 1) - 1);
    const int32_t longest = room < 4 ? room : 4;
    const int32_t count = rct_draw_unit(draw) < 0.5 ? 1 : 1 + rct_draw_index(draw, longest);
    const int chained = rct_draw_unit(draw) < 0.5 && body.hinge != RCT_HINGE_FREE;
    const int named = rct_draw_unit(draw) < 0.5;
    rct_status status = RCT_OK;
    for (int32_t k = 1; k <= count && status == RCT_OK; k++) {
        char name[32];
        snprintf(name, sizeof name, "run%d.%d", (int)first, (int)k);
        body.name = named ? name : NULL;
        status = rct_model_add_body(model, &body, NULL, error);
        body.parent = chained ? first + k - 1 : body.parent;
    }
    return status;
}

rct_model *any_model(uint64_t seed, int32_t most, rct_error *error)
{
    enum { MOST_ROWS = 12 };
    rct_draw draw = rct_draw_start(seed, 27);
    rct_model *model = rct_model_create("any", error);
    double table[5 * MOST_ROWS];
    const int32_t count = 1 + rct_draw_index(&draw, most);
    rct_status status = RCT_OK;
    while (status == RCT_OK && rct_model_body_count(model) < count) {
        status = add_run(model, &draw, count - rct_model_body_count(model), error);
    }
    for (int32_t k = rct_draw_index(&draw, 6); k > 0 && status == RCT_OK; k--) {
        const rct_force force = any_force(&draw, count);
        status = rct_model_add_force(model, &force, NULL, error);
    }
    rct_draw acting = rct_draw_start(seed, 31);
    if (status == RCT_OK && rct_draw_unit(&acting) < 0.5) {
        status = add_acting(model, &acting, rct_draw_index(&acting, 8), 0);
    }
    rct_draw loops = rct_draw_start(seed, 28);
    if (status == RCT_OK) {
        status = add_loops(model, &loops, error);
    }
    rct_draw events = rct_draw_start(seed, 29);
    if (status == RCT_OK) {
        status = add_events(model, &events, error);
    }
    rct_draw shapes = rct_draw_start(seed, 30);
    if (status == RCT_OK) {
        status = add_shapes(model, &shapes, error);
    }
    const int32_t kind = rct_draw_index(&draw, 3); /* no motion, constants, a table */
    if (status == RCT_OK && kind > 0) {
        const int32_t rows = kind == 1 ? 0 : 2 + rct_draw_index(&draw, MOST_ROWS - 1);
        const rct_base base = any_base(&draw, rows, table);
        status = rct_model_set_base(model, &base, error);
    }
    if (status != RCT_OK) {
        rct_model_free(model);
        model = NULL;
    }
    return model;
}
