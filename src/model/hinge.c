/* What every hinge type has: its name, its coordinates, its rates. */
#include <riccatree/model.h>

#include <stddef.h>

static const struct {
    const char *name;
    int32_t coordinates, freedoms;
} hinges[RCT_HINGE_TYPES] = {
    [RCT_HINGE_FIXED] = {"fixed", 0, 0},         [RCT_HINGE_BALL] = {"ball", 4, 3},
    [RCT_HINGE_REVOLUTE] = {"revolute", 1, 1},   [RCT_HINGE_PRISMATIC] = {"prismatic", 1, 1},
    [RCT_HINGE_UNIVERSAL] = {"universal", 2, 2}, [RCT_HINGE_CYLINDRICAL] = {"cylindrical", 2, 2},
    [RCT_HINGE_PLANAR] = {"planar", 3, 3},       [RCT_HINGE_HELICAL] = {"helical", 1, 1},
    [RCT_HINGE_FREE] = {"free", 7, 6},
};

static int known(rct_hinge_type type)
{
    return (int)type >= 0 && (int)type < RCT_HINGE_TYPES;
}

const char *rct_hinge_name(rct_hinge_type type)
{
    return known(type) ? hinges[type].name : NULL;
}

int32_t rct_hinge_coordinates(rct_hinge_type type)
{
    return known(type) ? hinges[type].coordinates : 0;
}

int32_t rct_hinge_freedoms(rct_hinge_type type)
{
    return known(type) ? hinges[type].freedoms : 0;
}
