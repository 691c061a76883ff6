/* MJCF: places of bodies, inertias and geoms: pos, and one of quat, axisangle, euler, xyaxes, zaxis. */
#include "core/rotation.h"
#include "import/mjcf.h"

#include <ctype.h>
#include <string.h>

typedef rct_status turn_reader(const rct_mjcf *mjcf, double turn[4], const rct_xml_element *at,
                               const char *text);

static rct_status fail_zero(const rct_mjcf *mjcf, const rct_xml_element *at, const char *what)
{
    return rct_source_fail(mjcf->source, at, RCT_ERROR_MODEL,
                           "%s has length zero or directions that are parallel; correct it", what);
}

static rct_status read_quat(const rct_mjcf *mjcf, double turn[4], const rct_xml_element *at,
                            const char *text)
{
    rct_status status = rct_source_parse(mjcf->source, turn, 4, at, "quat", text);
    const double vector = rct_length(turn + 1);
    const double both[3] = {turn[0], vector, 0.0};
    const double length = rct_length(both);
    if (status == RCT_OK && length == 0.0) {
        status = fail_zero(mjcf, at, "quat");
    }
    for (int i = 0; i < 4 && status == RCT_OK; i++) {
        turn[i] /= length;
    }
    return status;
}

static rct_status read_axisangle(const rct_mjcf *mjcf, double turn[4], const rct_xml_element *at,
                                 const char *text)
{
    double four[4];
    rct_status status = rct_source_parse(mjcf->source, four, 4, at, "axisangle", text);
    if (status == RCT_OK && rct_length(four) == 0.0) {
        status = fail_zero(mjcf, at, "axisangle");
    }
    if (status == RCT_OK) {
        rct_turn_about(turn, four, four[3] * mjcf->angle);
    }
    return status;
}

/* Small letters turn about the axes as turned so far, capitals about those of the parent. */
static rct_status read_euler(const rct_mjcf *mjcf, double turn[4], const rct_xml_element *at,
                             const char *text)
{
    double angles[3], q[4] = {1.0, 0.0, 0.0, 0.0};
    rct_status status = rct_source_parse(mjcf->source, angles, 3, at, "euler", text);
    for (int i = 0; i < 3 && status == RCT_OK; i++) {
        const char letter = mjcf->sequence[i];
        const int axis = tolower((unsigned char)letter) - 'x';
        const double along[3] = {axis == 0, axis == 1, axis == 2};
        double one[4];
        rct_turn_about(one, along, angles[i] * mjcf->angle);
        if (islower((unsigned char)letter)) {
            rct_quaternion_product(q, one, turn);
        } else {
            rct_quaternion_product(one, q, turn);
        }
        memcpy(q, turn, sizeof q);
    }
    return status;
}

static rct_status read_xyaxes(const rct_mjcf *mjcf, double turn[4], const rct_xml_element *at,
                              const char *text)
{
    double six[6], z[3];
    double *x = six, *y = six + 3;
    rct_status status = rct_source_parse(mjcf->source, six, 6, at, "xyaxes", text);
    if (status == RCT_OK && (!rct_unit(x) || !rct_unit(y))) {
        status = fail_zero(mjcf, at, "xyaxes");
    }
    if (status == RCT_OK) {
        rct_cross(x, y, z);
        status = rct_length(z) > 1e-9 ? RCT_OK : fail_zero(mjcf, at, "xyaxes");
    }
    if (status == RCT_OK) {
        rct_unit(z);
        rct_cross(z, x, y);
        rct_turn_of_axes(turn, x, y, z);
    }
    return status;
}

static rct_status read_zaxis(const rct_mjcf *mjcf, double turn[4], const rct_xml_element *at,
                             const char *text)
{
    double z[3];
    rct_status status = rct_source_parse(mjcf->source, z, 3, at, "zaxis", text);
    if (status == RCT_OK && rct_length(z) == 0.0) {
        status = fail_zero(mjcf, at, "zaxis");
    }
    if (status == RCT_OK) {
        rct_turn_z_to(turn, z);
    }
    return status;
}

static const struct {
    const char *name;
    turn_reader *read;
} ways[] = {{"quat", read_quat},
            {"axisangle", read_axisangle},
            {"euler", read_euler},
            {"xyaxes", read_xyaxes},
            {"zaxis", read_zaxis}};

int rct_mjcf_is_turned(const rct_xml_element *element)
{
    int turned = 0;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        turned = turned || rct_xml_value(element, ways[i].name) != NULL;
    }
    return turned;
}

/* The nearest level that gives an orientation in any way gives it. */
rct_status rct_mjcf_place(const rct_mjcf *mjcf, rct_place *place, const rct_mjcf_item *item)
{
    *place = rct_place_none();
    rct_status status = rct_mjcf_numbers(mjcf, place->at, 3, item, "pos");
    rct_mjcf_item level = *item;
    int given = 0;
    const rct_xml_element *at = rct_mjcf_next_level(mjcf, &level, item->element);
    while (at != NULL && given == 0 && status == RCT_OK) {
        for (size_t i = 0; i < sizeof ways / sizeof ways[0] && status == RCT_OK; i++) {
            const char *text = rct_xml_value(at, ways[i].name);
            if (text != NULL && given++ > 0) {
                return rct_source_fail(mjcf->source, at, RCT_ERROR_MODEL,
                                       "its orientation is given in two ways; keep one");
            }
            if (text != NULL) {
                status = ways[i].read(mjcf, place->turn, at, text);
            }
        }
        at = rct_mjcf_next_level(mjcf, &level, item->element);
    }
    return status;
}
