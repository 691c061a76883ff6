/* Shared by the tests of imports: text that grows, frames as matrices, and mass as lumps (mass,
 * first and second moments about the inertial origin), which add up without parallel axes. Nothing
 * here uses quaternions of the library. */
#ifndef RCT_TESTS_IMPORT_CHECK_H
#define RCT_TESTS_IMPORT_CHECK_H

#include <riccatree/import.h>

/* Frames: v_outer = r v + t. */
typedef struct frame {
    double r[3][3], t[3];
} frame;

extern const frame frame_none;

frame frame_of(const frame *outer, const frame *inner);
frame frame_back(const frame *f); /* the inverse */
frame frame_shift(double x, double y, double z);
frame frame_turn(const double axis[3], double angle); /* Rodrigues; axis of any length */
frame frame_quaternion(const double q[4]);
void frame_point(double out[3], const frame *f, const double p[3]);

/* Mass m, sum of m x, sum of m x x^T, about the inertial origin. */
typedef struct lump {
    double m, first[3], second[3][3];
} lump;

/* A body with inertia xx yy zz xy xz yz about its centre, in the axes of the frame. */
lump lump_of(double mass, const double com[3], const double inertia[6], const frame *f);
void lump_add(lump *sum, const lump *more);

/* Compares to 1e-12 of the largest numbers; fails the test, naming `what`. */
void check_lump(const lump *got, const lump *expected, const char *what);
void check_frame(const frame *got, const frame *expected, const char *what);

/* Body `id` of a model at the coordinates q[3] of each body; ball and free hinges keep their
 * initial coordinates. Follows the definition of hinges in model.h, from the ground up. */
frame model_frame(const rct_model *model, int32_t id, const double (*q)[3]);
lump model_lump(const rct_model *model, int32_t id, const frame *f);

/* printf at the end of a text; fails the test if the text is full. */
enum { TEXT_SIZE = 1 << 16 };
typedef struct text {
    char at[TEXT_SIZE];
    int size;
} text;

__attribute__((format(printf, 2, 3))) void text_add(text *to, const char *format, ...);
void text_numbers(text *to, const char *name, const double *numbers, int count);

/* The model of a text; on failure prints the error and fails the test. */
rct_model *import_text(const char *from, const rct_import_options *options);

#endif
