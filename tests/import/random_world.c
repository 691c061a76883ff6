/* Random worlds of MJCF (random_world.h). */
#include "tests/import/random_world.h"

#include "tests/support/draw.h"

#include "tests/support/cmocka_all.h"

#include <math.h>
#include <string.h>

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

int is_absolute(int kind)
{
    return kind == BALL || kind == FREE || kind == THREE;
}

int parts_of(int kind)
{
    return kind >= APART ? (int)strlen(kinds[kind]) : 1;
}

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

/* The rotation that takes z to v and leaves the direction across both. */
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

/* A frame around something, sometimes within another one; returns the text that ends it. */
static frame draw_frame(uint64_t *s, text *t, const world *w, const char **end)
{
    static const char *const ends[3] = {"", "</frame>\n", "</frame></frame>\n"};
    const int deep = draw_bits(s) % 2 == 0 ? 0 : 1 + (int)(draw_bits(s) % 2);
    frame f = frame_none;
    for (int i = 0; i < deep; i++) {
        text_add(t, "<frame");
        const frame inner = draw_place(s, t, w);
        f = frame_of(&f, &inner);
        text_add(t, ">");
    }
    *end = ends[deep];
    return f;
}

static void draw_geom(uint64_t *s, text *t, const world *w, lump *mass)
{
    static const double centre[3] = {0.0, 0.0, 0.0};
    const char *end = "";
    const frame around = draw_frame(s, t, w, &end);
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
    const frame place = ends ? draw_ends(s, t, shape, size) : draw_place(s, t, w);
    const frame f = frame_of(&around, &place);
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
    text_add(t, "/>\n%s", end);
    const double by = m / moments[0], xx = by * moments[1], yy = by * moments[2],
                 zz = by * moments[3];
    const double inertia[6] = {yy + zz, xx + zz, xx + yy, 0.0, 0.0, 0.0};
    const lump own = lump_of(m, centre, inertia, &f);
    lump_add(mass, &own);
}

/* Axes and points as the kind of hinge needs them. */
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
        j[i].armature = draw_between(s, 0.0, 1.0);
        if (b->kind == THREE) {
            j[i].stiffness = j[i].damping = j[i].armature = 0.0;
        }
        j[i].q = w->absolute ? j[i].ref : draw_between(s, -2.0, 2.0);
    }
    if (b->kind == UNIVERSAL || b->kind == THREE || b->kind == ACTING) {
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

static void write_joints(uint64_t *s, text *t, const world *w, const random_body *b)
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
        const char *end = "";
        const frame around = draw_frame(s, t, w, &end), back = frame_back(&around);
        double pos[3], tip[3], axis[3];
        frame_point(pos, &back, j->pos);
        for (int k = 0; k < 3; k++) {
            tip[k] = j->pos[k] + j->axis[k];
        }
        frame_point(axis, &back, tip);
        for (int k = 0; k < 3; k++) {
            axis[k] -= pos[k];
        }
        text_add(t, "<joint%s",
                 kind == 'h'   ? ""
                 : kind == 's' ? " type=\"slide\""
                               : " type=\"ball\" class=\"loose\"");
        text_numbers(t, "pos", pos, 3);
        text_numbers(t, "axis", axis, 3);
        text_numbers(t, "damping", &j->damping, 1);
        text_numbers(t, "ref", &ref, 1);
        if (kind != 'b') {
            text_numbers(t, "springref", &rest, 1);
            text_numbers(t, "stiffness", &j->stiffness, 1);
            text_numbers(t, "armature", &j->armature, 1);
        }
        text_add(t, "/>\n%s", end);
    }
}

void random_world_draw(uint64_t *s, world *w)
{
    memset(w, 0, sizeof *w);
    w->count = 1 + (int)(draw_bits(s) % MOST_BODIES);
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
            const char *end = "";
            const frame around = draw_frame(s, t, w, &end);
            text_add(t, "<body name=\"b%d\"", i);
            const frame place = draw_place(s, t, w);
            b->place = frame_of(&around, &place);
            text_add(t, ">\n");
            write_joints(s, t, w, b);
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
            text_add(t, "</body>\n%s", end);
        }
    }
}

void random_world_write(uint64_t *s, text *t, world *w)
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
