/* MJCF: places of bodies, inertias, geoms, sites and frames: pos, and one of quat, axisangle,
 * euler, xyaxes, zaxis. */
#include "core/rotation.h"
#include "import/mjcf.h"

/* 0 if the numbers give no turn. */
typedef int turn_reader(double turn[4], const double *numbers, const rct_mjcf *mjcf);

static int read_quat(double turn[4], const double *q, const rct_mjcf *mjcf)
{
    (void)mjcf;
    const double both[3] = {q[0], rct_length(q + 1), 0.0};
    const double length = rct_length(both);
    for (int i = 0; i < 4; i++) {
        turn[i] = q[i] / length;
    }
    return length != 0.0;
}

static int read_axisangle(double turn[4], const double *four, const rct_mjcf *mjcf)
{
    rct_turn_about(turn, four, four[3] * mjcf->angle);
    return rct_length(four) != 0.0;
}

static int read_euler(double turn[4], const double *angles, const rct_mjcf *mjcf)
{
    const double radians[3] = {angles[0] * mjcf->angle, angles[1] * mjcf->angle,
                               angles[2] * mjcf->angle};
    rct_turn_thrice(turn, radians, mjcf->sequence);
    return 1;
}

static int read_xyaxes(double turn[4], const double *six, const rct_mjcf *mjcf)
{
    (void)mjcf;
    double x[3] = {six[0], six[1], six[2]}, y[3] = {six[3], six[4], six[5]}, z[3];
    const int directions = rct_unit(x) && rct_unit(y);
    rct_cross(x, y, z);
    const int apart = rct_length(z) > 1e-9;
    rct_unit(z);
    rct_cross(z, x, y);
    rct_turn_of_axes(turn, x, y, z);
    return directions && apart;
}

static int read_zaxis(double turn[4], const double *z, const rct_mjcf *mjcf)
{
    (void)mjcf;
    rct_turn_z_to(turn, z);
    return rct_length(z) != 0.0;
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

/* The nearest level that gives an orientation in any way is used. */
rct_place rct_mjcf_place(const rct_mjcf_item *item)
{
    rct_place place = rct_place_none();
    rct_mjcf_item level = *item;
    int given = 0;
    rct_mjcf_numbers(place.at, 3, item, "pos");
    const rct_xml_element *at = rct_mjcf_next_level(&level);
    while (at != NULL && given == 0) {
        for (int i = 0; i < WAYS; i++) {
            const char *text = rct_xml_value(at, ways[i].name);
            double numbers[6];
            if (text == NULL) {
                continue;
            }
            rct_source_demand(at, given++ == 0, "its orientation is given in two ways; keep one");
            rct_source_parse(numbers, ways[i].count, at, ways[i].name, text);
            rct_source_demand(at,
                              rct_source_of(at)->status != RCT_OK ||
                                  ways[i].read(place.turn, numbers, item->mjcf),
                              "%s has length zero or directions that are parallel; correct it",
                              ways[i].name);
        }
        at = rct_mjcf_next_level(&level);
    }
    return rct_mjcf_in_frame(item->element, &place);
}

double rct_mjcf_between(rct_place *place, const rct_mjcf_item *item)
{
    const rct_xml_element *at = NULL;
    double ends[6] = {0.0}, along[3];
    if (rct_mjcf_value(item, "fromto", &at) == NULL) {
        return 0.0;
    }
    *place = rct_place_none();
    rct_mjcf_numbers(ends, 6, item, "fromto");
    for (int i = 0; i < 3; i++) {
        along[i] = ends[i] - ends[i + 3];
        place->at[i] = 0.5 * (ends[i] + ends[i + 3]);
    }
    rct_source_demand(item->element, rct_length(along) != 0.0,
                      "the two points of fromto are the same; move one");
    rct_turn_z_to(place->turn, along);
    *place = rct_mjcf_in_frame(item->element, place);
    return 0.5 * rct_length(along);
}
