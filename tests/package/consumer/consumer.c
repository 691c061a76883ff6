/* Two rods, one hanging on the other: the smallest program that uses an installed Riccatree. */
#include <riccatree/riccatree.h>

#include <stdio.h>

int main(void)
{
    rct_error error = {.status = RCT_OK};
    rct_model *model = rct_model_create("two-rods", &error);
    rct_status status = error.status;

    rct_body rod = rct_body_default(); /* a ball hinge */
    rod.mass = 1.0;
    rod.com[2] = -0.5;
    rod.inertia[0] = rod.inertia[1] = 1.0 / 12.0;
    for (int32_t i = 0; i < 2 && status == RCT_OK; i++) {
        rod.parent = i == 0 ? RCT_GROUND : i - 1;
        rod.hinge_at[2] = i == 0 ? 10.0 : -1.0;
        status = rct_model_add_body(model, &rod, NULL, &error);
    }
    if (status == RCT_OK) {
        status = rct_model_check(model, &error);
    }
    if (status == RCT_OK) {
        printf("riccatree %s: %d bodies\n", rct_version(), rct_model_body_count(model));
    } else {
        fprintf(stderr, "%s\n", error.text);
    }
    rct_model_free(model);
    return status == RCT_OK ? 0 : 1;
}
