/* The fall of a rod that is held at its end, computed by the library of the references. */
#include <riccatree/reference.h>
#include <riccatree/riccatree.h>

#include <stdio.h>

int main(void)
{
    rct_error error = {.status = RCT_OK};
    rct_model *model = rct_model_create("rod", &error);
    rct_status status = error.status;

    rct_body rod = rct_body_default(); /* a ball hinge at the ground */
    rod.parent = RCT_GROUND;
    rod.mass = 1.0;
    rod.com[0] = 0.5;
    rod.inertia[0] = 1e-4;
    rod.inertia[1] = rod.inertia[2] = 1.0 / 12.0;
    if (status == RCT_OK) {
        status = rct_model_add_body(model, &rod, NULL, &error);
    }
    double angular[3] = {0.0, 0.0, 0.0};
    rct_reference_result result = {.angular = angular};
    if (status == RCT_OK) {
        status = rct_reference_evaluate(model, RCT_REFERENCE_LAGRANGE, NULL, NULL, &result, &error);
    }
    if (status == RCT_OK) {
        printf("reference %s: %.4f rad/s^2\n", rct_reference_name(RCT_REFERENCE_LAGRANGE),
               angular[1]);
    } else {
        fprintf(stderr, "%s\n", error.text);
    }
    rct_model_free(model);
    return status == RCT_OK ? 0 : 1;
}
