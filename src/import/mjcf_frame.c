/* MJCF: places of bodies, inertias and geoms: pos, and one of quat, axisangle, euler, xyaxes, zaxis. */
#include "core/rotation.h"
#include "import/mjcf.h"

typedef void turn_reader(const rct_mjcf *mjcf, double turn[4], const rct_xml_element *at,
                         const double *numbers);

static void fail_zero(const rct_mjcf *mjcf, const rct_xml_element *at, const char *what)
{
    rct_source_fail(mjcf->source, at, RCT_ERROR_MODEL,
                    "%s has length zero or directions that are parallel; correct it", what);
}

static void read_quat(const rct_mjcf *mjcf, double turn[4], const rct_xml_element *at,
                      const double *q)
{
    const double both[3] = {q[0], rct_length(q + 1), 0.0};
    const double length = rct_length(both);
    if (length == 0.0) {
        fail_zero(mjcf, at, "quat");
    }
    for (int i = 0; i < 4; i++) {
        turn[i] = q[i] / length;
    }
}

static void read_axisangle(const rct_mjcf *mjcf, double turn[4], const rct_xml_element *at,
                           const double *four)
{
    if (rct_length(four) == 0.0) {
        fail_zero(mjcf, at, "axisangle");
    }
    rct_turn_about(turn, four, four[3] * mjcf->angle);
}

static void read_euler(const rct_mjcf *mjcf, double turn[4], const rct_xml_element *at,
                       const double *angles)
{
    (void)at;
    const double radians[3] = {angles[0] * mjcf->angle, angles[1] * mjcf->angle,
                               angles[2] * mjcf->angle};
    rct_turn_thrice(turn, radians, mjcf->sequence);
}

static void read_xyaxes(const rct_mjcf *mjcf, double turn[4], const rct_xml_element *at,
                        const double *six)
{
    double x[3] = {six[0], six[1], six[2]}, y[3] = {six[3], six[4], six[5]}, z[3];
    const int directions = rct_unit(x) && rct_unit(y);
    rct_cross(x, y, z);
    if (!directions || !(rct_length(z) > 1e-9)) {
        fail_zero(mjcf, at, "xyaxes");
    }
    rct_unit(z);
    rct_cross(z, x, y);
    rct_turn_of_axes(turn, x, y, z);
}

static void read_zaxis(const rct_mjcf *mjcf, double turn[4], const rct_xml_element *at,
                       const double *z)
{
    if (rct_length(z) == 0.0) {
        fail_zero(mjcf, at, "zaxis");
    }
    rct_turn_z_to(turn, z);
}

static const struct {
    const char *name;
    int count; /* of numbers */
    turn_reader *read;
} ways[] = {{"quat", 4, read_quat},
            {"axisangle", 4, read_axisangle},
            {"euler", 3, read_euler},
            {"xyaxes", 6, read_xyaxes},
            {"zaxis", 3, read_zaxis}};

enum { WAYS = sizeof ways / sizeof ways[0] };

int rct_mjcf_is_turned(const rct_xml_element *element)
{
    int turned = 0;
    for (int i = 0; i < WAYS; i++) {
        turned = turned || rct_xml_value(element, ways[i].name) != NULL;
    }
    return turned;
}

/* The nearest level that gives an orientation in any way gives it. */
rct_place rct_mjcf_place(const rct_mjcf *mjcf, const rct_mjcf_item *item)
{
    rct_place place = rct_place_none();
    rct_mjcf_item level = *item;
    int given = 0;
    rct_mjcf_numbers(mjcf, place.at, 3, item, "pos");
    const rct_xml_element *at = rct_mjcf_next_level(mjcf, &level, item->element);
    while (at != NULL && given == 0) {
        for (int i = 0; i < WAYS; i++) {
            const char *text = rct_xml_value(at, ways[i].name);
            if (text != NULL && given++ > 0) {
                rct_source_fail(mjcf->source, at, RCT_ERROR_MODEL,
                                "its orientation is given in two ways; keep one");
            }
            double numbers[6];
            if (text != NULL) {
                rct_source_parse(mjcf->source, numbers, ways[i].count, at, ways[i].name, text);
            }
            if (text != NULL && mjcf->source->status == RCT_OK) {
                ways[i].read(mjcf, place.turn, at, numbers);
            }
        }
        at = rct_mjcf_next_level(mjcf, &level, item->element);
    }
    return place;
}
