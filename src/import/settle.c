/* What each part becomes: a body, part of the body it is fixed to, or a part that stands still.
 * Parts without mass are folded away if a fixed hinge allows it, or if nothing with mass hangs
 * on them, which changes no other part. */
#include "core/numbers.h"
#include "import/parts.h"
#include "model/hinge_types.h"
#include "model/inertia.h"

/* Part `i` becomes part of `host`, with its frame at its place there. */
static void fold(rct_parts *parts, int32_t i, int32_t host)
{
    rct_part *p = &parts->part[i];
    p->host = host;
    p->inside = p->place;
    if (host != RCT_GROUND) {
        rct_mass moved = p->mass;
        rct_mass_move(&moved, &p->place);
        rct_mass_add(&parts->part[host].mass, &moved);
    }
}

/* A free part that hangs on parts fixed to the ground then hangs on the ground. */
static void hang_free(rct_parts *parts, rct_part *p)
{
    while (p->parent != RCT_GROUND && parts->part[p->parent].hinge == RCT_HINGE_FIXED) {
        const rct_part *parent = &parts->part[p->parent];
        p->place = rct_place_in(&parent->place, &p->place);
        p->parent = parent->parent;
    }
    if (p->parent != RCT_GROUND) {
        const char *name = parts->part[p->parent].name;
        rct_source_fail(p->element, RCT_ERROR_UNSUPPORTED,
                        "it is free, but hangs on \"%.64s\", which moves; only what hangs on the "
                        "ground may be free",
                        name != NULL ? name : "a body");
    }
}

/* An inertia that no rigid body has is accepted if parts are fixed to each other and their sum
 * is valid, because the group becomes one body. A group has the number of its first part, whose
 * hinge moves it. */
static void find_odd(rct_parts *parts)
{
    for (int32_t i = 0; i < parts->count; i++) {
        rct_part *p = &parts->part[i];
        double moments[3];
        const int fixed = p->hinge == RCT_HINGE_FIXED;
        p->group = !fixed || p->parent == RCT_GROUND ? i : parts->part[p->parent].group;
        const int odd = rct_inertia_trouble(p->mass.inertia, moments) != RCT_INERTIA_SOUND ||
                        (p->mass.mass == 0.0 && !rct_all_zero(p->mass.inertia, 6));
        parts->part[p->group].odd = parts->part[p->group].odd || odd;
    }
}

/* Parents come first, so the host of the parent is known, and whether it has mass so far. A
 * fixed part without mass joins the host of its parent; one with mass joins a host that has
 * none. */
static void settle(rct_parts *parts, int32_t i)
{
    rct_part *p = &parts->part[i];
    p->host = i;
    p->inside = rct_place_none();
    if (p->parent != RCT_GROUND) {
        const rct_part *parent = &parts->part[p->parent];
        p->place = rct_place_in(&parent->inside, &p->place);
        p->parent = parent->host;
    }
    const int joins = p->mass.mass == 0.0 || parts->part[p->group].odd ||
                      (p->parent != RCT_GROUND && parts->part[p->parent].mass.mass == 0.0);
    if (rct_hinge_uses(p->hinge, RCT_KEY_AT) == 0) {
        hang_free(parts, p);
    } else if (p->hinge == RCT_HINGE_FIXED && joins) {
        fold(parts, i, p->parent);
    }
}

/* A part that moves but neither has nor carries mass exerts nothing: it stays fixed to its
 * parent. */
static void leave_out(rct_parts *parts, rct_part *p, rct_source *source)
{
    const int on_ground = p->parent == RCT_GROUND;
    const rct_part *parent = on_ground ? NULL : &parts->part[p->parent];
    rct_source_demand(p->element, rct_all_zero(p->mass.inertia, 6),
                      "it moves and has inertia, but it has no mass, and nothing with mass is "
                      "fixed to it; give it a mass");
    p->inside = on_ground ? p->place : rct_place_in(&parent->inside, &p->place);
    p->host = on_ground ? RCT_GROUND : parent->host;
    p->left_out = 1;
    source->report->massless_left_out++;
}

static void leave_out_tips(rct_parts *parts, rct_source *source)
{
    for (int32_t i = parts->count - 1; i >= 0; i--) {
        rct_part *p = &parts->part[i];
        p->carries = p->carries || p->mass.mass > 0.0;
        if (p->host == i && p->carries && p->parent != RCT_GROUND) {
            parts->part[p->parent].carries = 1;
            parts->part[p->parent].kids++;
        }
    }
    for (int32_t i = 0; i < parts->count && source->status == RCT_OK; i++) {
        rct_part *p = &parts->part[i];
        if (p->host == i && !p->carries) {
            leave_out(parts, p, source);
        } else if (p->host != i && p->host != RCT_GROUND && parts->part[p->host].host != p->host) {
            const rct_part *host = &parts->part[p->host];
            p->inside = rct_place_in(&host->inside, &p->inside);
            p->host = host->host;
            p->left_out = host->left_out;
        }
    }
}

/* A body resists in at most six directions. With more freedoms in a row, without mass or rotors
 * between them, two freedoms coincide in every state. */
static void count_freedoms(rct_parts *parts, int32_t i)
{
    rct_part *p = &parts->part[i];
    for (int k = 0; k < rct_hinge_freedoms(p->hinge); k++) {
        p->free += k >= 3 || p->armature[k] == 0.0;
    }
    if (p->parent != RCT_GROUND) {
        const rct_part *parent = &parts->part[p->parent];
        const int light = parent->mass.mass == 0.0 && parent->kids == 1;
        p->free += light ? parent->free : 0;
        rct_source_demand(
            parent->element, !light || p->free <= 6,
            "it moves and has no mass; together with the body that hangs on it, it has %d freedoms "
            "in a row, and a body has at most six; give it mass and inertia, or a fixed joint",
            p->free);
    }
}

void rct_parts_settle(rct_parts *parts, rct_source *source)
{
    find_odd(parts);
    for (int32_t i = 0; i < parts->count && source->status == RCT_OK; i++) {
        settle(parts, i);
    }
    leave_out_tips(parts, source);
    for (int32_t i = 0; i < parts->count && source->status == RCT_OK; i++) {
        if (parts->part[i].host == i) {
            count_freedoms(parts, i);
        }
    }
}
