/* What the sweeps ask of abi (wide_method.h) where a lane is alone: S and e in rows of three. The
 * steps are those of wide_step.h and six.h. */
#ifndef RCT_KERNELS_LAWS_WIDE_ROWS_H
#define RCT_KERNELS_LAWS_WIDE_ROWS_H

#include "kernels/lane/triple.h"
#include "kernels/laws/hinge.h"

/* ll and aa are symmetric; their upper halves are in use. */
typedef struct wide_law {
    rows3 ll, la, aa;
    triple el, ea;
} wide_law;

LANE_INLINE wide_law wide_law_of(const wide_handle *h)
{
    return (wide_law){rows3_of_sym3(h->ll), rows3_of_mat3(h->la), rows3_of_sym3(h->aa),
                      triple_of(h->e.l), triple_of(h->e.a)};
}

LANE_INLINE wide_handle wide_law_record(const wide_law *law)
{
    return (wide_handle){rows3_sym3(law->ll),
                         rows3_mat3(law->la),
                         rows3_sym3(law->aa),
                         {triple_vec3(law->el), triple_vec3(law->ea)}};
}

LANE_INLINE wide_law wide_law_select(mask where, const wide_law *a, const wide_law *b)
{
    return where ? *a : *b;
}

LANE_INLINE void wide_law_add(wide_law *law, const wide_handle *record)
{
    const wide_law more = wide_law_of(record);
    law->ll = rows3_add(law->ll, more.ll);
    law->la = rows3_add(law->la, more.la);
    law->aa = rows3_add(law->aa, more.aa);
    law->el += more.el, law->ea += more.ea;
}

/* w x J w, as sym3_gyroscopic */
LANE_INLINE triple triple_gyroscopic(sym3 j, triple w) /* 36 */
{
    const triple own = {j.xx, j.yy, j.zz, j.zz}, across = {j.yz, j.xz, j.xy, j.xy};
    const triple next = triple_pick(w, w, 1, 2, 0), after = triple_pick(w, w, 2, 0, 1);
    const triple moment = across * w;
    return (triple_pick(own, own, 2, 0, 1) - triple_pick(own, own, 1, 2, 0)) * (next * after) +
           across * (next * next - after * after) +
           w * (triple_pick(moment, moment, 1, 2, 0) - triple_pick(moment, moment, 2, 0, 1));
}

/* Zero instead of number k (3: none); constant. */
LANE_INLINE triple triple_but(triple a, int k)
{
    const triple none = triple_set(0.0);
    return k == 0   ? triple_pick(a, none, 4, 1, 2)
           : k == 1 ? triple_pick(a, none, 0, 4, 2)
           : k == 2 ? triple_pick(a, none, 0, 1, 4)
                    : a;
}

LANE_INLINE void wide_law_add_body(wide_law *law, const link_lanes *link, vec3 rate)
{
    const triple w = triple_of(rate), none = triple_set(0.0), mass = triple_set(link->mass);
    const triple mc = mass * triple_of(link->com), less = -mc;
    law->ll.x += triple_pick(mass, none, 0, 4, 4);
    law->ll.y += triple_pick(mass, none, 4, 1, 4);
    law->ll.z += triple_pick(mass, none, 4, 4, 2);
    law->la.x += triple_but(triple_pick(mc, less, 0, 2, 5), 0); /* m c~ */
    law->la.y += triple_but(triple_pick(mc, less, 6, 1, 0), 1);
    law->la.z += triple_but(triple_pick(mc, less, 1, 4, 2), 2);
    law->aa = rows3_add(law->aa, rows3_of_sym3(link->inertia));
    law->el += triple_centripetal(w, mc);
    law->ea += triple_gyroscopic(link->inertia, w);
}

LANE_INLINE void wide_law_add_load(wide_law *law, spatial load)
{
    law->el -= triple_of(load.l), law->ea -= triple_of(load.a);
}

/* Number k of a spatial vector; constant. */
LANE_INLINE double triple_at(triple l, triple a, int k)
{
    return k < AX ? l[k] : a[k - AX];
}

/* Column k of the rows of m, from the upper half of a symmetric m; constant. */
LANE_INLINE triple rows3_column(rows3 m, int k)
{
    return (triple){m.x[k], m.y[k], m.z[k], m.z[k]};
}

LANE_INLINE triple rows3_upper(rows3 m, int k)
{
    return k == 0 ? m.x : k == 1 ? triple_pick(m.x, m.y, 1, 5, 6) : rows3_column(m, 2);
}

/* m - a g^T */
LANE_INLINE rows3 rows3_less(rows3 m, triple a, triple g) /* 18 */
{
    return (rows3){m.x - triple_all(a, 0) * g, m.y - triple_all(a, 1) * g,
                   m.z - triple_all(a, 2) * g};
}

/* Zero instead of a row and a column (3: none); constant. */
LANE_INLINE rows3 rows3_but(rows3 m, int row, int column)
{
    const triple none = triple_set(0.0);
    return (rows3){row == 0 ? none : triple_but(m.x, column),
                   row == 1 ? none : triple_but(m.y, column),
                   row == 2 ? none : triple_but(m.z, column)};
}

/* six_solve for coordinate k (constant), without rotors. */
LANE_INLINE six_gain wide_law_solve(wide_law *law, int k, double tau, double noise, mask *regular)
{
    const int l = k < AX ? k : 3, a = k < AX ? 3 : k - AX;
    const triple sl = k < AX ? rows3_upper(law->ll, k) : rows3_column(law->la, a);
    const triple sa = k < AX ? (k == LX   ? law->la.x
                                : k == LY ? law->la.y
                                          : law->la.z)
                             : rows3_upper(law->aa, a);
    const double pivot = triple_at(sl, sa, k), i = lane_reciprocal(pivot);
    *regular = lane_and(*regular, lane_greater(pivot, noise));
    const double y = (tau - triple_at(law->el, law->ea, k)) * i;
    const triple gl = triple_but(sl * triple_set(i), l), ga = triple_but(sa * triple_set(i), a);
    law->ll = rows3_but(rows3_less(law->ll, sl, gl), l, l);
    law->la = rows3_but(rows3_less(law->la, sl, ga), l, a);
    law->aa = rows3_but(rows3_less(law->aa, sa, ga), a, a);
    law->el = law->el + sl * triple_set(y), law->ea = law->ea + sa * triple_set(y);
    if (k < AX) {
        law->el[k] = tau;
    } else {
        law->ea[a] = tau;
    }
    return (six_gain){{gl[0], gl[1], gl[2], ga[0], ga[1], ga[2]}, y, i};
}

/* hinge_eliminate for hinges whose freedoms are along axes of the link, without rotors. */
LANE_INLINE mask wide_law_eliminate(int kind, const link_lanes *link, const real load[3],
                                    wide_law *law, six_gain *gain)
{
    const double ulps = 0x1p-48;
    const double linear = ulps * (law->ll.x[0] + law->ll.y[1] + law->ll.z[2]) + PIVOT_LEAST;
    const double angular = ulps * (law->aa.x[0] + law->aa.y[1] + law->aa.z[2]) + PIVOT_LEAST;
    mask regular = 1;
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        const int k = hinge_solved(kind, i);
        gain[i] = wide_law_solve(law, k, hinge_tau(kind, i, link, NULL, load),
                                 k < AX ? linear : angular, &regular);
    }
    return regular;
}

LANE_INLINE mask wide_cross(int kind, const link_lanes *link, const link_motion *m,
                            const hinge_rotor *rotor, const real load[3], wide_law *law,
                            wide_through *t, six_gain *gain)
{
    mask regular;
    if (rotor == NULL && kind != RCT_HINGE_HELICAL && kind != RCT_HINGE_UNIVERSAL) {
        regular = wide_law_eliminate(kind, link, load, law, gain);
    } else {
        wide_handle h = wide_law_record(law);
        six x = six_of(&h);
        regular = hinge_eliminate(kind, link, m, rotor, load, &x, gain);
        h = six_handle(&x);
        *law = wide_law_of(&h);
    }
    if (t != NULL) {
        hinge_eliminate_through(kind, link, m, rotor, gain, t);
    }
    return regular;
}

/* As wide_hand_over_but. */
LANE_INLINE void wide_inboard(wide_law *law, const link_motion *m, int solved)
{
    (void)solved;
    const rows3 q = rows3_of_mat3(m->turn), columns = rows3_transposed(q);
    const triple r = triple_of(m->r), bl = triple_of(m->bias.l), ba = triple_of(m->bias.a);
    const rows3 ll = rows3_mirrored(law->ll), aa = rows3_mirrored(law->aa), la = law->la;
    const triple vl = rows3_sum(ll, bl) + rows3_sum(rows3_transposed(la), ba);
    const triple va = rows3_sum(la, bl) + rows3_sum(aa, ba);
    const rows3 ll_up = rows3_mirrored(rows3_product(q, rows3_product(ll, columns)));
    const rows3 la_up = rows3_product(q, rows3_product(la, columns));
    const rows3 lr = rows3_times_tilde(ll_up, r), ra = tilde_times_rows3(r, la_up);
    law->ll = ll_up;
    law->la = rows3_sub(la_up, lr);
    law->aa = rows3_add(rows3_product(q, rows3_product(aa, columns)),
                        rows3_sub(rows3_add(ra, rows3_transposed(ra)), tilde_times_rows3(r, lr)));
    law->el = rows3_sum(columns, law->el + vl);
    law->ea = rows3_sum(columns, law->ea + va) + triple_cross(r, law->el);
}

LANE_INLINE real wide_law_trace(const wide_law *law)
{
    return (law->ll.x[0] + law->ll.y[1] + law->ll.z[2]) +
           (law->aa.x[0] + law->aa.y[1] + law->aa.z[2]);
}

LANE_INLINE void wide_law_spoil(wide_law *law, mask good)
{
    law->ll.x[0] = good ? law->ll.x[0] : (double)NAN;
}

#endif
