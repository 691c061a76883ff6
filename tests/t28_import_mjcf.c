/* MJCF: random trees of bodies with joints of every kind, orientations given in every way, default classes
 * and masses from shapes, against masses and places computed with matrices and by slicing the shapes; and
 * what single settings do. */
#include "support/draw.h"
#include "support/import_check.h"

#include "cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- shapes by slices ---------------------------------------------------------------------- */

enum { SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, SHAPES };

static const char *const shape_names[SHAPES] = {"sphere", "capsule", "ellipsoid", "cylinder",
                                                "box"};
static const int shape_sizes[SHAPES] = {1, 2, 3, 2, 3};

/* Area of the slice at height z, and its second moments. */
static void slice(int shape, const double s[3], double z, double area[3])
{
    const double beyond = shape == CAPSULE ? fmax(0.0, fabs(z) - s[1]) : z;
    double a = s[0], b = s[0];
    if (shape == SPHERE || shape == CAPSULE) {
        a = b = sqrt(s[0] * s[0] - beyond * beyond);
    } else if (shape == ELLIPSOID) {
        a = s[0] * sqrt(1.0 - z * z / (s[2] * s[2]));
        b = s[1] * sqrt(1.0 - z * z / (s[2] * s[2]));
    } else if (shape == BOX) {
        b = s[1];
    }
    area[0] = shape == BOX ? 4.0 * a * b : pi * a * b;
    area[1] = area[0] * a * a / (shape == BOX ? 3.0 : 4.0);
    area[2] = area[0] * b * b / (shape == BOX ? 3.0 : 4.0);
}

/* Volume and second moments x^2, y^2, z^2. Gauss's rule of five points is exact on each piece, where all
 * are polynomials of z of degree 4 at most. */
static void slices(int shape, const double s[3], double moments[4])
{
    static const double nodes[5] = {-0.90617984593866399280, -0.53846931010568309104, 0.0,
                                    0.53846931010568309104, 0.90617984593866399280};
    static const double weights[5] = {0.23692688505618908751, 0.47862867049936646804,
                                      0.56888888888888888889, 0.47862867049936646804,
                                      0.23692688505618908751};
    const double half = shape == SPHERE ? s[0] : s[shape_sizes[shape] - 1];
    const double top = shape == CAPSULE ? half + s[0] : half;
    const double cuts[4] = {-top, -half, half, top};
    memset(moments, 0, 4 * sizeof *moments);
    for (int piece = 0; piece < 3; piece++) {
        const double middle = 0.5 * (cuts[piece] + cuts[piece + 1]);
        const double reach = 0.5 * (cuts[piece + 1] - cuts[piece]);
        for (int i = 0; i < 5; i++) {
            const double z = middle + reach * nodes[i];
            double area[3];
            slice(shape, s, z, area);
            moments[0] += reach * weights[i] * area[0];
            moments[1] += reach * weights[i] * area[1];
            moments[2] += reach * weights[i] * area[2];
            moments[3] += reach * weights[i] * area[0] * z * z;
        }
    }
}

/* ---- random bodies ------------------------------------------------------------------------- */

enum { MOST = 10, MOST_GEOMS = 3 };

/* Kinds of hinges, each a row of joints. */
enum {
    FIXED,
    HINGE,
    SLIDE,
    BALL,
    FREE,
    UNIVERSAL,
    TURN_SLIDE,
    SLIDE_TURN,
    PLANAR,
    PLANAR_BACK,
    THREE,
    KINDS
};

static const char *const kinds[KINDS] = {"",   "h",  "s",   "b",   "f",  "hh",
                                         "hs", "sh", "ssh", "ssh", "hhh"};

static int is_absolute(int kind)
{
    return kind == BALL || kind == FREE || kind == THREE;
}

typedef struct random_joint {
    double pos[3], axis[3], ref, rest, stiffness, damping, q;
} random_joint;

typedef struct random_body {
    int parent, kind, geoms;
    frame place; /* in the parent */
    lump mass;   /* own frame     */
    random_joint joint[3];
    frame at; /* inertial, expected */
} random_body;

typedef struct world {
    random_body body[MOST];
    int count, radian,
        absolute; /* absolute: ball and free hinges are drawn, and stay where they are */
    char sequence[4];
    double thickness; /* size of the geoms of class "thick" */
} world;

static double unit_of(const world *w)
{
    return w->radian ? 1.0 : pi / 180.0;
}

static frame turn_of_columns(const double x[3], const double y[3], const double z[3])
{
    frame f = frame_none;
    for (int i = 0; i < 3; i++) {
        f.r[i][0] = x[i], f.r[i][1] = y[i], f.r[i][2] = z[i];
    }
    return f;
}

static void normalized(double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) {
        v[i] /= length;
    }
}

static void cross(double out[3], const double a[3], const double b[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

/* The turn that takes z to v and leaves what is across both. */
static frame z_to(const double v[3])
{
    static const double z[3] = {0.0, 0.0, 1.0};
    double axis[3], to[3] = {v[0], v[1], v[2]};
    normalized(to);
    cross(axis, z, to);
    return frame_turn(axis, acos(to[2]));
}

static frame draw_euler(uint64_t *s, text *t, const world *w)
{
    double angles[3];
    draw_numbers(s, angles, 3, 3.0 / unit_of(w));
    text_numbers(t, "euler", angles, 3);
    frame f = frame_none;
    for (int i = 0; i < 3; i++) {
        const int low = w->sequence[i] >= 'x';
        const int k = w->sequence[i] - (low ? 'x' : 'X');
        const double axis[3] = {k == 0, k == 1, k == 2};
        const frame one = frame_turn(axis, angles[i] * unit_of(w));
        f = low ? frame_of(&f, &one) : frame_of(&one, &f);
    }
    return f;
}

static frame draw_axes(uint64_t *s, text *t)
{
    double six[6], z[3];
    draw_numbers(s, six, 6, 1.0);
    text_numbers(t, "xyaxes", six, 6);
    normalized(six);
    cross(z, six, six + 3);
    normalized(z);
    cross(six + 3, z, six);
    return turn_of_columns(six, six + 3, z);
}

/* A place in any of the ways to give it, written as attributes. */
static frame draw_place(uint64_t *s, text *t, const world *w)
{
    double pos[3], four[4];
    frame f = frame_none;
    draw_numbers(s, pos, 3, 1.0);
    draw_numbers(s, four, 4, 1.0);
    switch (draw_bits(s) % 6) {
    case 0:
        f = frame_quaternion(four);
        text_numbers(t, "quat", four, 4);
        break;
    case 1:
        four[3] *= 3.0 / unit_of(w);
        f = frame_turn(four, four[3] * unit_of(w));
        text_numbers(t, "axisangle", four, 4);
        break;
    case 2: f = draw_euler(s, t, w); break;
    case 3: f = draw_axes(s, t); break;
    case 4:
        f = z_to(four);
        text_numbers(t, "zaxis", four, 3);
        break;
    default: break;
    }
    text_numbers(t, "pos", pos, 3);
    memcpy(f.t, pos, sizeof pos);
    return f;
}

static void draw_inertial(uint64_t *s, text *t, const world *w, lump *mass)
{
    static const double centre[3] = {0.0, 0.0, 0.0};
    const double x = draw_between(s, 0.1, 1.0), y = draw_between(s, 0.1, 1.0);
    double inertia[6] = {y + 0.5, x + 0.5, x + y, 0.0, 0.0, 0.0};
    const double m = draw_between(s, 0.1, 5.0);
    const int full = draw_bits(s) % 2 == 0;
    text_add(t, "<inertial mass=\"%.17g\"", m);
    frame f = frame_none;
    if (full) { /* in the axes of the body */
        draw_numbers(s, f.t, 3, 1.0);
        text_numbers(t, "pos", f.t, 3);
        draw_numbers(s, inertia + 3, 3, 0.02);
    } else {
        f = draw_place(s, t, w);
    }
    text_numbers(t, full ? "fullinertia" : "diaginertia", inertia, full ? 6 : 3);
    text_add(t, "/>\n");
    *mass = lump_of(m, centre, inertia, &f);
}

/* Two ends instead of a place and a length. */
static frame draw_ends(uint64_t *s, text *t, int shape, double size[3])
{
    double ends[6], along[3], middle[3];
    draw_numbers(s, ends, 6, 1.0);
    text_numbers(t, "fromto", ends, 6);
    for (int i = 0; i < 3; i++) {
        along[i] = ends[i + 3] - ends[i];
        middle[i] = 0.5 * (ends[i] + ends[i + 3]);
    }
    size[1] = size[0];
    size[shape_sizes[shape] - 1] =
        0.5 * sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    frame f = z_to(along);
    memcpy(f.t, middle, sizeof middle);
    return f;
}

static void draw_geom(uint64_t *s, text *t, const world *w, lump *mass)
{
    static const double centre[3] = {0.0, 0.0, 0.0};
    const int shape = (int)(draw_bits(s) % SHAPES), ends = shape != SPHERE && draw_bits(s) % 2 == 0;
    const int thick = draw_bits(s) % 3 == 0, given = (int)(draw_bits(s) % 3);
    double size[3], moments[4];
    for (int i = 0; i < 3; i++) {
        size[i] = draw_between(s, 0.05, 0.5);
    }
    size[0] = thick ? w->thickness : size[0];
    text_add(t, "<geom type=\"%s\"%s", shape_names[shape], thick ? " class=\"thick\"" : "");
    if (!thick || (!ends && shape_sizes[shape] > 1)) {
        text_numbers(t, "size", size, ends ? 1 : shape_sizes[shape]);
    }
    const frame f = ends ? draw_ends(s, t, shape, size) : draw_place(s, t, w);
    slices(shape, size, moments);
    double m = thick ? 500.0 * moments[0] : 1000.0 * moments[0];
    if (given == 1) {
        m = draw_between(s, 0.1, 3.0);
        text_numbers(t, "mass", &m, 1);
    } else if (given == 2) {
        const double density = draw_between(s, 1.0, 9000.0);
        text_numbers(t, "density", &density, 1);
        m = density * moments[0];
    }
    text_add(t, "/>\n");
    const double by = m / moments[0], xx = by * moments[1], yy = by * moments[2],
                 zz = by * moments[3];
    const double inertia[6] = {yy + zz, xx + zz, xx + yy, 0.0, 0.0, 0.0};
    const lump own = lump_of(m, centre, inertia, &f);
    lump_add(mass, &own);
}

/* Axes and points that belong together, as the kind wants it. */
static void draw_joints(uint64_t *s, const world *w, random_body *b)
{
    random_joint *j = b->joint;
    for (int i = 0; i < 3; i++) {
        draw_numbers(s, j[i].pos, 3, 0.5);
        draw_numbers(s, j[i].axis, 3, 1.0);
        normalized(j[i].axis);
        j[i].ref = draw_bits(s) % 2 == 0 ? 0.0 : draw_between(s, -1.0, 1.0);
        j[i].rest = draw_between(s, -1.0, 1.0);
        j[i].stiffness = draw_between(s, 0.1, 2.0);
        j[i].damping = draw_between(s, 0.1, 2.0);
        if (b->kind == THREE) {
            j[i].stiffness = j[i].damping = 0.0;
        }
        j[i].q = w->absolute ? j[i].ref : draw_between(s, -2.0, 2.0);
    }
    if (b->kind == UNIVERSAL || b->kind == THREE) {
        memcpy(j[1].pos, j[0].pos, sizeof j[0].pos);
        memcpy(j[2].pos, j[0].pos, sizeof j[0].pos);
    } else if (b->kind == TURN_SLIDE || b->kind == SLIDE_TURN) {
        memcpy(j[1].axis, j[0].axis, sizeof j[0].axis);
    } else if (b->kind == PLANAR || b->kind == PLANAR_BACK) { /* x, y, normal; or y, x */
        const int x = b->kind == PLANAR ? 0 : 1;
        double z[3];
        cross(z, j[x].axis, j[1 - x].axis);
        normalized(z);
        cross(j[1 - x].axis, z, j[x].axis);
        memcpy(j[2].axis, z, sizeof z);
    }
}

static void write_joints(text *t, const world *w, const random_body *b)
{
    for (int i = 0; kinds[b->kind][i] != '\0'; i++) {
        const random_joint *j = &b->joint[i];
        const char kind = kinds[b->kind][i];
        const double unit = kind == 'h' ? unit_of(w) : 1.0;
        const double ref = j->ref / unit, rest = j->rest / unit;
        if (kind == 'f') {
            text_add(t, "<freejoint/>\n");
            continue;
        }
        text_add(t, "<joint%s",
                 kind == 'h'   ? ""
                 : kind == 's' ? " type=\"slide\""
                               : " type=\"ball\" class=\"loose\"");
        text_numbers(t, "pos", j->pos, 3);
        text_numbers(t, "axis", j->axis, 3);
        text_numbers(t, "damping", &j->damping, 1);
        text_numbers(t, "ref", &ref, 1);
        if (kind != 'b') {
            text_numbers(t, "springref", &rest, 1);
            text_numbers(t, "stiffness", &j->stiffness, 1);
        }
        text_add(t, "/>\n");
    }
}

static void draw_world(uint64_t *s, world *w)
{
    memset(w, 0, sizeof *w);
    w->count = 1 + (int)(draw_bits(s) % MOST);
    w->radian = draw_bits(s) % 2 == 0;
    w->absolute = draw_bits(s) % 2 == 0;
    w->thickness = draw_between(s, 0.05, 0.4);
    for (int i = 0; i < 3; i++) {
        w->sequence[i] = "xyzXYZ"[draw_bits(s) % 6];
    }
    for (int i = 0; i < w->count; i++) {
        random_body *b = &w->body[i];
        b->parent = i == 0 || draw_bits(s) % 5 == 0 ? -1 : (int)(draw_bits(s) % (uint64_t)i);
        do {
            b->kind = (int)(draw_bits(s) % KINDS);
        } while ((b->kind == FREE && b->parent >= 0) || (is_absolute(b->kind) && !w->absolute));
        draw_joints(s, w, b);
    }
}

static void write_bodies(uint64_t *s, text *t, world *w, int parent)
{
    for (int i = 0; i < w->count; i++) {
        random_body *b = &w->body[i];
        if (b->parent == parent) {
            text_add(t, "<body name=\"b%d\"", i);
            b->place = draw_place(s, t, w);
            text_add(t, ">\n");
            write_joints(t, w, b);
            const int still =
                b->kind == FIXED; /* what hangs on the ground has mass by <inertial> only */
            if (still || draw_bits(s) % 3 == 0) {
                draw_inertial(s, t, w, &b->mass);
            } else {
                const int geoms = 1 + (int)(draw_bits(s) % MOST_GEOMS);
                for (int k = 0; k < geoms; k++) {
                    draw_geom(s, t, w, &b->mass);
                }
            }
            write_bodies(s, t, w, i);
            text_add(t, "</body>\n");
        }
    }
}

static void write_world(uint64_t *s, text *t, world *w)
{
    static const double gravity[3] = {1.0, -2.0, 3.5};
    text_add(t, "<mujoco model=\"random\">\n<worldbody><geom type=\"plane\" size=\"1 1 1\"/>\n");
    write_bodies(s, t, w, -1);
    text_add(t, "</worldbody>\n<option");
    text_numbers(t, "gravity", gravity, 3);
    text_add(t, "/>\n<default><default class=\"thick\"><geom density=\"500\"");
    text_numbers(t, "size", &w->thickness, 1);
    text_add(t,
             "/></default><default class=\"loose\"><joint stiffness=\"0\"/></default></default>\n");
    text_add(
        t, "<compiler angle=\"%s\" eulerseq=\"%s\"/>\n<actuator><motor joint=\"x\"/></actuator>\n",
        w->radian ? "radian" : "degree", w->sequence);
    text_add(t, "</mujoco>\n");
}

/* Joints act one after the other: a hinge turns about its point, a slide shifts, both in the frame as
 * moved so far. */
static frame moved(const random_body *b)
{
    frame f = b->place;
    for (int i = 0; kinds[b->kind][i] != '\0'; i++) {
        const random_joint *j = &b->joint[i];
        const double *p = j->pos, *a = j->axis, by = j->q - j->ref;
        if (kinds[b->kind][i] == 'h') {
            const frame there = frame_shift(p[0], p[1], p[2]), turn = frame_turn(a, by);
            const frame back = frame_shift(-p[0], -p[1], -p[2]);
            f = frame_of(&f, &there);
            f = frame_of(&f, &turn);
            f = frame_of(&f, &back);
        } else if (kinds[b->kind][i] == 's') {
            const frame shift = frame_shift(by * a[0], by * a[1], by * a[2]);
            f = frame_of(&f, &shift);
        }
    }
    return f;
}

/* Which joint each coordinate of the hinge comes from. */
static void coordinates_of(const random_body *b, int joint[3])
{
    const int swapped = b->kind == SLIDE_TURN || b->kind == PLANAR_BACK;
    joint[0] = swapped ? 1 : 0;
    joint[1] = swapped ? 0 : 1;
    joint[2] = 2;
}

static void check_hinge(const random_body *b, const rct_body *body)
{
    static const rct_hinge_type hinges[KINDS] = {
        RCT_HINGE_FIXED,  RCT_HINGE_REVOLUTE,  RCT_HINGE_PRISMATIC,   RCT_HINGE_BALL,
        RCT_HINGE_FREE,   RCT_HINGE_UNIVERSAL, RCT_HINGE_CYLINDRICAL, RCT_HINGE_CYLINDRICAL,
        RCT_HINGE_PLANAR, RCT_HINGE_PLANAR,    RCT_HINGE_BALL};
    int joint[3];
    assert_int_equal(body->hinge, hinges[b->kind]);
    coordinates_of(b, joint);
    const int relative = b->kind != FIXED && !is_absolute(b->kind);
    for (int k = 0; relative && k < rct_hinge_freedoms(body->hinge); k++) {
        const random_joint *j = &b->joint[joint[k]];
        assert_true(fabs(body->position[k] - j->ref) < 1e-14);
        assert_true(fabs(body->rest[k] - j->rest) < 1e-14);
        assert_true(body->stiffness[k] == j->stiffness && body->damping[k] == j->damping);
    }
    if (b->kind == BALL || b->kind == THREE) {
        assert_true(body->damping[0] == b->joint[0].damping && body->stiffness[0] == 0.0);
    }
}

/* The hinge point in the body as the file has it: the frame of ours is shifted there. */
static frame hinge_frame(const random_body *b)
{
    static const int pointed[KINDS] = {
        [HINGE] = 1,      [BALL] = 1,       [THREE] = 1,  [UNIVERSAL] = 1,
        [TURN_SLIDE] = 1, [SLIDE_TURN] = 2, [PLANAR] = 3, [PLANAR_BACK] = 3};
    const int which = pointed[b->kind];
    const double *p = which > 0 ? b->joint[which - 1].pos : NULL;
    const frame to = p != NULL ? frame_shift(p[0], p[1], p[2]) : frame_none;
    return frame_of(&b->at, &to);
}

/* A lump about the origin of a frame, seen from where the frame is seen from. */
static lump seen(const lump *own, const frame *f)
{
    lump l = {.m = own->m};
    for (int a = 0; a < 3; a++) {
        double turned[3];
        for (int i = 0; i < 3; i++) {
            turned[i] = f->r[i][0] * own->first[0] + f->r[i][1] * own->first[1] +
                        f->r[i][2] * own->first[2];
        }
        l.first[a] = turned[a] + own->m * f->t[a];
        for (int b = 0; b < 3; b++) {
            l.second[a][b] = turned[a] * f->t[b] + f->t[a] * turned[b] + own->m * f->t[a] * f->t[b];
            for (int i = 0; i < 9; i++) {
                l.second[a][b] += f->r[a][i / 3] * own->second[i / 3][i % 3] * f->r[b][i % 3];
            }
        }
    }
    return l;
}

static void check_world(world *w, const rct_model *model)
{
    double q[MOST][3] = {{0.0}}, gravity[3];
    rct_model_gravity(model, gravity);
    assert_true(gravity[0] == 1.0 && gravity[1] == -2.0 && gravity[2] == 3.5);
    assert_int_equal(rct_model_body_count(model), w->count);
    for (int i = 0; i < w->count; i++) {
        random_body *b = &w->body[i];
        char name[16];
        int joint[3];
        const frame own = moved(b);
        b->at = b->parent >= 0 ? frame_of(&w->body[b->parent].at, &own) : own;
        snprintf(name, sizeof name, "b%d", i);
        const int32_t id = rct_model_find_body(model, name);
        assert_true(id >= 0);
        coordinates_of(b, joint);
        for (int k = 0; k < 3; k++) {
            q[id][k] = b->joint[joint[k]].q;
        }
    }
    for (int i = 0; i < w->count; i++) {
        char name[16];
        rct_body body;
        snprintf(name, sizeof name, "b%d", i);
        const int32_t id = rct_model_find_body(model, name);
        rct_model_body(model, id, &body, NULL);
        check_hinge(&w->body[i], &body);
        const frame f = model_frame(model, id, (const double(*)[3])q);
        const frame expected = hinge_frame(&w->body[i]);
        check_frame(&f, &expected, name);
        const lump l = model_lump(model, id, &f), mass = seen(&w->body[i].mass, &w->body[i].at);
        check_lump(&l, &mass, name);
    }
}

static void test_random_worlds(void **state)
{
    (void)state;
    uint64_t s = 28;
    static text t;
    for (int k = 0; k < 400; k++) {
        world w;
        t.size = 0;
        draw_world(&s, &w);
        write_world(&s, &t, &w);
        rct_model *model = import_text(t.at, NULL);
        check_world(&w, model);
        rct_model_free(model);
    }
}

/* ---- single settings ----------------------------------------------------------------------- */

static double mass_of(const rct_model *model, const char *name)
{
    rct_body body;
    const int32_t id = rct_model_find_body(model, name);
    return id >= 0 && rct_model_body(model, id, &body, NULL) == RCT_OK ? body.mass : 0.0;
}

static void test_defaults_are_inherited_from_class_to_class(void **state)
{
    (void)state;
    rct_model *model = import_text(
        "<mujoco><default><geom mass='1' type='box' size='1 1 1'/>"
        "<default class='a'><geom mass='2'/><default class='b'><joint "
        "damping='3'/></default></default>"
        "<default class='c'><geom mass='4'/></default></default><worldbody>"
        "<body name='m'><joint/><geom/></body>"
        "<body name='n' childclass='b'><joint/><geom/>"
        "  <body name='o'><joint class='main'/><geom class='c'/>"
        "    <body name='p' childclass='c'><joint/><geom mass='5'/></body></body></body>"
        "</worldbody></mujoco>",
        NULL);
    const struct {
        const char *name;
        double mass, damping;
    } expected[] = {{"m", 1, 0}, {"n", 2, 3}, {"o", 4, 0}, {"p", 5, 0}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        rct_body body;
        const int32_t id = rct_model_find_body(model, expected[i].name);
        assert_int_equal(rct_model_body(model, id, &body, NULL), RCT_OK);
        assert_true(body.mass == expected[i].mass && body.damping[0] == expected[i].damping);
    }
    rct_model_free(model);
}

/* Geoms count where no inertial is given, always, or never; only those of some groups; never on the ground. */
static void test_which_geoms_have_mass(void **state)
{
    (void)state;
    static const char body[] =
        "<worldbody><body name='floor'><geom type='mesh' mesh='m'/><geom size='9'/></body>"
        "<body name='a'><joint/><inertial pos='0 0 0' mass='7' diaginertia='1 1 1'/>"
        "<geom mass='1' size='1'/><geom mass='2' size='1' group='4'/></body></worldbody></mujoco>";
    const struct {
        const char *compiler;
        double mass;
    } cases[] = {{"", 7},
                 {"<compiler inertiafromgeom='auto'/>", 7},
                 {"<compiler inertiafromgeom='true'/>", 3},
                 {"<compiler inertiafromgeom='false'/>", 7},
                 {"<compiler inertiafromgeom='true' inertiagrouprange='3 5'/>", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static text t;
        t.size = 0;
        text_add(&t, "<mujoco>%s%s", cases[i].compiler, body);
        rct_model *model = import_text(t.at, NULL);
        assert_int_equal(rct_model_body_count(model), 1);
        assert_true(mass_of(model, "a") == cases[i].mass);
        rct_model_free(model);
    }
}

static void test_gravity_can_be_switched_off(void **state)
{
    (void)state;
    static const char *const options[] = {
        "<option gravity='1 2 3'/>",
        "<option gravity='1 2 3'><flag gravity='disable' contact='disable'/></option>", ""};
    static const double expected[][3] = {{1, 2, 3}, {0, 0, 0}, {0, 0, -9.81}};
    for (int i = 0; i < 3; i++) {
        static text t;
        double gravity[3];
        t.size = 0;
        text_add(
            &t,
            "<mujoco>%s<worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>",
            options[i]);
        rct_model *model = import_text(t.at, NULL);
        rct_model_gravity(model, gravity);
        assert_memory_equal(gravity, expected[i], sizeof gravity);
        rct_model_free(model);
    }
}

/* Half a turn from z: about x. A zero turn and a point exactly as it stands keep their digits. */
static void test_numbers_are_kept_where_nothing_turns(void **state)
{
    (void)state;
    rct_model *model =
        import_text("<mujoco><worldbody><body name='a' pos='0.1 0.2 0.3'><joint type='ball'/>"
                    "<inertial pos='0.4 0.5 0.6' mass='0.7' diaginertia='0.11 0.12 0.13'/>"
                    "<body name='b' zaxis='0 0 -1'><joint/><geom size='1'/></body></body>"
                    "</worldbody></mujoco>",
                    NULL);
    rct_body body;
    static const double at[3] = {0.1, 0.2, 0.3}, com[3] = {0.4, 0.5, 0.6},
                        inertia[6] = {0.11, 0.12, 0.13, 0.0, 0.0, 0.0};
    assert_int_equal(rct_model_body(model, 0, &body, NULL), RCT_OK);
    assert_memory_equal(body.hinge_at, at, sizeof at);
    assert_memory_equal(body.com, com, sizeof com);
    assert_memory_equal(body.inertia, inertia, sizeof inertia);
    assert_int_equal(rct_model_body(model, 1, &body, NULL), RCT_OK);
    assert_true(fabs(body.hinge_orientation[1] - 1.0) < 1e-15);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_worlds),
        cmocka_unit_test(test_defaults_are_inherited_from_class_to_class),
        cmocka_unit_test(test_which_geoms_have_mass),
        cmocka_unit_test(test_gravity_can_be_switched_off),
        cmocka_unit_test(test_numbers_are_kept_where_nothing_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
