/* Places of frames: the turn of the axes and the origin of a frame, seen from another. */
#ifndef RCT_IMPORT_PLACE_H
#define RCT_IMPORT_PLACE_H

typedef struct rct_place {
    double turn[4]; /* quaternion, own axes to outer ones */
    double at[3];   /* m, outer axes                      */
} rct_place;

rct_place rct_place_none(void); /* the outer frame itself */

/* The frame `inner`, given in the frame `outer`, seen from the frame in which `outer` is given. */
rct_place rct_place_in(const rct_place *outer, const rct_place *inner);
rct_place rct_place_inverse(const rct_place *place);

/* A vector, or a point, of the frame in outer axes; `out` must not be the input. */
void rct_place_vector(double out[3], const rct_place *place, const double v[3]);
void rct_place_point(double out[3], const rct_place *place, const double p[3]);

/* Quaternion of a turn by `angle` about an axis of any length > 0. */
void rct_turn_about(double turn[4], const double axis[3], double angle);

/* Three turns one after the other, about the axes in `letters`: capitals are fixed axes, small
 * letters axes as turned so far. Roll, pitch and yaw are "XYZ". */
void rct_turn_thrice(double turn[4], const double angles[3], const char letters[3]);

/* Quaternion of the rotation matrix whose columns are x, y, z. */
void rct_turn_of_axes(double turn[4], const double x[3], const double y[3], const double z[3]);

/* The smallest turn that takes the z axis to the direction of v; half a turn is about x. */
void rct_turn_z_to(double turn[4], const double v[3]);

double rct_length(const double v[3]);

/* Scale to length 1; 0 if its length is 0. */
int rct_unit(double v[3]);

#endif
