/* Where the nodes of the trunk of a tree are (trunk.h), in single lanes. */
#ifndef RCT_KERNELS_SWEEPS_TRUNK_PLACES_H
#define RCT_KERNELS_SWEEPS_TRUNK_PLACES_H

#include "kernels/sweeps/places.h"
#include "kernels/sweeps/trunk_ends.h"

/* The pose of the last link of a segment that hangs on `up`: with P, w_P its frame, r, v its reach and r', v' what is beyond,
 * R P and P^T w + w_P, at p + R r + r', with v_p + R (w x r + v) + v'; an absolute hinge forgets R and w in its frame, a free one
 * all of them. */
LANE_CALL link_pose pose_at_end(const rct_trunk *t, int32_t n, const link_pose *up)
{
    const int stride = t->stride;
    const double *path = t->paths + t->path[n];
    const double *product = path + (int64_t)PATH_PRODUCT * stride;
    const double *reach = path + (int64_t)PATH_REACH * stride;
    const double *onward = path + (int64_t)PATH_ONWARD * stride;
    const double absolute = path[(int64_t)PATH_ABSOLUTE * stride];
    const vec3 r = vec3_load(reach, stride), v = vec3_load(reach + (int64_t)3 * stride, stride);
    const mat3 turn = up->frame.rotation;
    link_pose end = {
        .frame = {mat3_load(product, stride), vec3_load(product + (int64_t)9 * stride, stride)},
        .position = vec3_load(onward, stride),
        .velocity = vec3_load(onward + (int64_t)3 * stride, stride),
        .rest = absolute == 2.0 ? vec3_zero() : up->rest};
    if (absolute == 2.0) {
        end.position = vec3_add(r, end.position);
        end.velocity = vec3_add(v, end.velocity);
        return end;
    }
    const vec3 moving = vec3_add(vec3_cross(up->frame.rate, r), v);
    end.position = vec3_add(vec3_add(up->position, mat3_apply(turn, r)), end.position);
    end.velocity = vec3_add(vec3_add(up->velocity, mat3_apply(turn, moving)), end.velocity);
    if (absolute == 0.0) {
        const mat3 p = end.frame.rotation;
        end.frame.rate = vec3_add(mat3_apply_transposed(p, up->frame.rate), end.frame.rate);
        end.frame.rotation = mat3_product(turn, p);
    }
    return end;
}

LANE_CALL void trunk_pose(const rct_sheaves *rows, const rct_trunk *t, const int8_t *wanted,
                          const rct_places *places)
{
    for (int32_t n = 0; n < t->count; n++) {
        const int32_t m = t->parent[n], row = t->row[n],
                      what = wanted != NULL ? wanted[n] : NODE_SHOWN;
        if (what == 0 || t->slot[n] < 0) {
            continue;
        }
        const link_pose up =
            link_pose_load(m < 0 ? (const double *)places->ground : work_of(t, m) + TRUNK_POSE, 1);
        const link_pose own = row >= 0 ? row_pose(rows, row, 0, &up) : pose_at_end(t, n, &up);
        link_pose_store(work_of(t, n) + TRUNK_POSE, 1, POSE_FIELDS, &own);
        if (what == NODE_SHOWN) {
            const int32_t label = row >= 0 ? rows->label[row] : t->last_label[n];
            link_pose_store((double *)rct_pose_at(places->poses, label), 1, places->poses.fields,
                            &own);
        }
    }
}

#endif
