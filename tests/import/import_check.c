/* Frames, lumps and texts for the tests of imports. */
#include "tests/import/import_check.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/larger.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const frame frame_none = {.r = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

void frame_point(double out[3], const frame *f, const double p[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = f->t[i] + f->r[i][0] * p[0] + f->r[i][1] * p[1] + f->r[i][2] * p[2];
    }
}

frame frame_of(const frame *outer, const frame *inner)
{
    frame f;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            f.r[i][j] = outer->r[i][0] * inner->r[0][j] + outer->r[i][1] * inner->r[1][j] +
                        outer->r[i][2] * inner->r[2][j];
        }
    }
    frame_point(f.t, outer, inner->t);
    return f;
}

frame frame_back(const frame *f)
{
    frame b = frame_none;
    for (int i = 0; i < 3; i++) {
        b.t[i] = 0.0;
        for (int j = 0; j < 3; j++) {
            b.r[i][j] = f->r[j][i];
            b.t[i] -= f->r[j][i] * f->t[j];
        }
    }
    return b;
}

frame frame_shift(double x, double y, double z)
{
    frame f = frame_none;
    f.t[0] = x, f.t[1] = y, f.t[2] = z;
    return f;
}

/* R = c 1 + (1 - c) a a^T + s a~ */
frame frame_turn(const double axis[3], double angle)
{
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    const double a[3] = {axis[0] / length, axis[1] / length, axis[2] / length};
    const double c = cos(angle), s = sin(angle);
    frame f = frame_none;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        f.r[i][i] = c + (1.0 - c) * a[i] * a[i];
        f.r[i][j] = (1.0 - c) * a[i] * a[j] - s * a[k];
        f.r[i][k] = (1.0 - c) * a[i] * a[k] + s * a[j];
    }
    return f;
}

frame frame_quaternion(const double q[4])
{
    const double sine = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return sine > 0.0 ? frame_turn(q + 1, 2.0 * atan2(sine, q[0])) : frame_none;
}

/* Second moments about the centre: xx = (trace J) / 2 - Jxx, xy = -Jxy. */
lump lump_of(double mass, const double com[3], const double inertia[6], const frame *f)
{
    const double *j = inertia;
    const double half = 0.5 * (j[0] + j[1] + j[2]);
    const double own[3][3] = {
        {half - j[0], -j[3], -j[4]}, {-j[3], half - j[1], -j[5]}, {-j[4], -j[5], half - j[2]}};
    double c[3];
    frame_point(c, f, com);
    lump l = {.m = mass};
    for (int a = 0; a < 3; a++) {
        l.first[a] = mass * c[a];
        for (int b = 0; b < 3; b++) {
            l.second[a][b] = mass * c[a] * c[b];
            for (int i = 0; i < 9; i++) {
                l.second[a][b] += f->r[a][i / 3] * own[i / 3][i % 3] * f->r[b][i % 3];
            }
        }
    }
    return l;
}

void lump_add(lump *sum, const lump *more)
{
    sum->m += more->m;
    for (int a = 0; a < 3; a++) {
        sum->first[a] += more->first[a];
        for (int b = 0; b < 3; b++) {
            sum->second[a][b] += more->second[a][b];
        }
    }
}

static void check_numbers(const double *got, const double *expected, int count, double least,
                          const char *what, const char *which)
{
    double most = least;
    for (int i = 0; i < count; i++) {
        most = larger(most, fabs(expected[i]));
    }
    for (int i = 0; i < count; i++) {
        if (!(fabs(got[i] - expected[i]) <= 1e-12 * most)) {
            fail_msg("%s: %s %d is %.17g, expected %.17g", what, which, i, got[i], expected[i]);
        }
    }
}

void check_lump(const lump *got, const lump *expected, const char *what)
{
    check_numbers(&got->m, &expected->m, 1, 0.0, what, "mass");
    check_numbers(got->first, expected->first, 3, expected->m, what, "moment");
    check_numbers(got->second[0], expected->second[0], 9, expected->m * 1e-2, what,
                  "second moment");
}

void check_frame(const frame *got, const frame *expected, const char *what)
{
    check_numbers(got->r[0], expected->r[0], 9, 1.0, what, "rotation");
    check_numbers(got->t, expected->t, 3, 1.0, what, "position");
}

/* Along two axes: f shifted by a times `first` and b times `second`. */
static frame along(const double first[3], double a, const double second[3], double b)
{
    return frame_shift(a * first[0] + b * second[0], a * first[1] + b * second[1],
                       a * first[2] + b * second[2]);
}

static frame hinge_motion(const rct_body *body, const double q[3])
{
    const double *x = body->hinge_axis2, *z = body->hinge_axis;
    const double y[3] = {z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2],
                         z[0] * x[1] - z[1] * x[0]};
    frame a = frame_none, b = frame_none;
    switch (body->hinge) {
    case RCT_HINGE_REVOLUTE: a = frame_turn(z, q[0]); break;
    case RCT_HINGE_PRISMATIC: a = along(z, q[0], z, 0.0); break;
    case RCT_HINGE_UNIVERSAL: a = frame_turn(z, q[0]), b = frame_turn(x, q[1]); break;
    case RCT_HINGE_CYLINDRICAL: a = frame_turn(z, q[0]), b = along(z, q[1], z, 0.0); break;
    case RCT_HINGE_PLANAR: a = along(x, q[0], y, q[1]), b = frame_turn(z, q[2]); break;
    default: break;
    }
    return frame_of(&a, &b);
}

frame model_frame(const rct_model *model, int32_t id, const double (*q)[3])
{
    rct_body body;
    if (id == RCT_GROUND) {
        return frame_none;
    }
    assert_int_equal(rct_model_body(model, id, &body, NULL), RCT_OK);
    assert_true(body.parent < id);
    const frame parent = model_frame(model, body.parent, q);
    frame at = frame_shift(body.hinge_at[0], body.hinge_at[1], body.hinge_at[2]);
    if (body.hinge == RCT_HINGE_BALL || body.hinge == RCT_HINGE_FREE) {
        frame f = frame_quaternion(body.orientation);
        frame_point(f.t, &parent, body.hinge == RCT_HINGE_BALL ? body.hinge_at : body.position);
        return f;
    }
    const frame turned = frame_quaternion(body.hinge_orientation);
    const frame moved = hinge_motion(&body, q[id]);
    at = frame_of(&at, &turned);
    at = frame_of(&at, &moved);
    return frame_of(&parent, &at);
}

lump model_lump(const rct_model *model, int32_t id, const frame *f)
{
    rct_body body;
    assert_int_equal(rct_model_body(model, id, &body, NULL), RCT_OK);
    return lump_of(body.mass, body.com, body.inertia, f);
}

void text_add(text *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    to->size += vsnprintf(to->at + to->size, (size_t)(TEXT_SIZE - to->size), format, arguments);
    va_end(arguments);
    assert_true(to->size < TEXT_SIZE);
}

void text_numbers(text *to, const char *name, const double *numbers, int count)
{
    text_add(to, " %s=\"", name);
    for (int i = 0; i < count; i++) {
        text_add(to, "%s%.17g", i > 0 ? " " : "", numbers[i]);
    }
    text_add(to, "\"");
}

rct_model *import_text(const char *from, const rct_import_options *options)
{
    rct_error error = {.text = ""};
    rct_model *model = rct_model_import_text(from, (int64_t)strlen(from), options, &error);
    if (model == NULL) {
        fail_msg("%s: %s\n%s", rct_status_name(error.status), error.text, from);
    }
    return model;
}
