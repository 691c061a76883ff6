/* Random trees with a state of rest (held_tree.h). */
#include "tests/analysis/held_tree.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/draw.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_tree.h"

#include <riccatree/force.h>

rct_model *held_tree_create(int32_t bodies, int hinge, uint64_t seed)
{
    const hinge_tree what = {.bodies = bodies, .hinge = hinge, .seed = seed};
    rct_model *model = hinge_tree_create(&what);
    for (int32_t b = 0; b < bodies; b++) {
        rct_body body;
        rct_force f = rct_force_default();
        rct_model_body(model, b, &body, NULL);
        for (int i = 0; rct_hinge_coordinates(body.hinge) == rct_hinge_freedoms(body.hinge) &&
                        i < rct_hinge_freedoms(body.hinge);
             i++) {
            body.stiffness[i] = draw_between(&seed, 50.0, 200.0);
            body.damping[i] = 1.0;
        }
        must_put(model, b, &body);
        if (body.hinge == RCT_HINGE_FREE) {
            f.type = RCT_FORCE_SPRING;
            f.stiffness = 50.0;
            f.length = 0.3;
        } else {
            draw_numbers(&seed, f.force, 3, 5.0);
        }
        f.body = b;
        draw_numbers(&seed, f.at, 3, 0.5);
        assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
    }
    return model;
}
