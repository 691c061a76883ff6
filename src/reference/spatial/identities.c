/* The identities of seed 001 on the explicit operators of a model's tree: the largest entry of
 * the difference of both sides, relative to the largest of the right one. With rotors A on the
 * diagonal of the mass matrix, D includes A too (spatial.h), and
 *
 *     M + K A K* stands for M in .45 and .47, and H psi M psi* H* + (I - H psi K) A (I - H psi K)* = D is .49.
 *
 * Lemma .5 and (.43): Omega by recursion from the root outward, its off-diagonal blocks from
 * those of the parents; if the bodies are one chain, it is Upsilon + psi~* Upsilon + Upsilon
 * psi~ (.42). */
#include "core/error.h"
#include "core/numbers.h"
#include "reference/spatial/refine.h"

#include <math.h>

static const char *const names[RCT_REFERENCE_IDENTITIES] = {
    "0.1: M = [I + H phi K] D [I + H phi K]*",
    "0.2: [I + H phi K]^-1 = I - H psi K",
    "0.3: M^-1 = [I - H psi K]* D^-1 [I - H psi K]",
    "0.4: [I - H psi K] H phi = H psi",
    "0.34: phi* H* M^-1 H phi = psi* H* D^-1 H psi",
    ".5: Omega by recursion from Upsilon",
    ".6: M = P - E_psi P E_psi*",
    ".7b: psi M psi* = P + psi~ P + P psi~*",
    ".7c: psi^-1 phi = I + K H phi",
    ".7d: H psi M psi* H* = D",
};

const char *rct_reference_identity_name(int32_t number)
{
    return number >= 0 && number < RCT_REFERENCE_IDENTITIES ? names[number] : NULL;
}

typedef struct products {
    rct_algebra *a;
    const rct_spatial *s;
    const rct_matrix *I_6n, *I_N;
    const rct_matrix *rotors; /* [N][N] A                        */
    const rct_matrix *outer;  /* I + H phi K                     */
    const rct_matrix *inner;  /* I - H psi K                     */
    const rct_matrix *Hphi, *Hpsi, *E_psi, *tilde;
    const rct_matrix *M; /* with rotors, M + K A K*              */
} products;

static rct_matrix *times(const products *p, const rct_matrix *x, const rct_matrix *y)
{
    return rct_algebra_product(p->a, x, y);
}

static rct_matrix *plus(const products *p, const rct_matrix *x, double t, const rct_matrix *y)
{
    return rct_algebra_sum(p->a, 1.0, x, t, y);
}

/* x y x* */
static rct_matrix *around(const products *p, const rct_matrix *x, const rct_matrix *y)
{
    return times(p, times(p, x, y), rct_algebra_transposed(p->a, x));
}

/* The largest entry of x - y relative to that of y. */
static double apart(const products *p, const rct_matrix *x, const rct_matrix *y)
{
    double most = 0.0, scale = 0.0;
    for (int64_t i = 0; i < y->rows * y->columns && p->a->status == RCT_OK; i++) {
        most = fmax(most, fabs(x->x[i] - y->x[i]));
        scale = fmax(scale, fabs(y->x[i]));
    }
    return scale > 0.0 ? most / scale : most;
}

static products make(rct_spatial *s)
{
    rct_algebra *a = &s->algebra;
    products p = {.a = a, .s = s};
    const int64_t v = s->mass.rows;
    rct_matrix *rotors = rct_algebra_zeros(a, v, v);
    for (int64_t i = 0; i < rotors->rows; i++) {
        rotors->x[i * v + i] = s->armature[i];
    }
    p.rotors = rotors;
    p.I_6n = rct_algebra_unit(a, s->E_phi.rows);
    p.I_N = rct_algebra_unit(a, v);
    p.Hphi = times(&p, &s->H, &s->phi);
    p.Hpsi = times(&p, &s->H, &s->psi);
    p.outer = plus(&p, p.I_N, 1.0, times(&p, p.Hphi, &s->K));
    p.inner = plus(&p, p.I_N, -1.0, times(&p, p.Hpsi, &s->K));
    p.E_psi = plus(&p, &s->E_phi, -1.0, times(&p, &s->K, &s->H));
    p.tilde = plus(&p, &s->psi, -1.0, p.I_6n);
    p.M = plus(&p, &s->M, 1.0, around(&p, &s->K, p.rotors));
    return p;
}

/* Block (k, m) of 6x6 of out += block (k, l) of x times block (l, m) of y; each block of out is
 * written once. */
static void add_block(const rct_matrix *x, const rct_matrix *y, int64_t k, int64_t l, int64_t m,
                      rct_matrix *out)
{
    for (int64_t at = 0; at < 216; at++) {
        const int64_t i = 6 * k + at / 36, j = 6 * l + at / 6 % 6, c = 6 * m + at % 6;
        out->x[i * out->columns + c] += x->x[i * x->columns + j] * y->x[j * y->columns + c];
    }
}

/* The place of the parent of place k: the first one closer to the base with a block of E_psi in
 * its column, or -1. */
static int64_t parent_of(const products *p, int64_t k)
{
    for (int64_t row = 6 * k + 6; row < p->s->E_phi.rows; row++) {
        if (p->s->E_phi.x[row * p->s->E_phi.columns + 6 * k + row % 6] != 0.0) {
            return row / 6;
        }
    }
    return -1;
}

/* (.43): Upsilon(k) = psi*(p, k) Upsilon(p) psi(p, k) + H* D^-1 H, the diagonal blocks, from the
 * roots outward; and with m before k, Omega(k, m) = Omega(k, p(m)) psi(p(m), m). Places count
 * from the tips. */
static rct_matrix *recurse(const products *p)
{
    const int64_t n = p->s->n;
    rct_matrix *Omega = rct_algebra_zeros(p->a, 6 * n, 6 * n);
    const rct_matrix *own =
        times(p, rct_algebra_transposed(p->a, &p->s->H), times(p, &p->s->D_inverse, &p->s->H));
    for (int64_t k = n - 1; k >= 0 && p->a->status == RCT_OK; k--) {
        const int64_t up = parent_of(p, k);
        for (int64_t m = n - 1; m > k && up >= 0; m--) { /* Omega(m, k), and its transpose */
            add_block(Omega, p->E_psi, m, up, k, Omega);
            for (int64_t i = 0; i < 36; i++) {
                Omega->x[(6 * k + i % 6) * 6 * n + 6 * m + i / 6] =
                    Omega->x[(6 * m + i / 6) * 6 * n + 6 * k + i % 6];
            }
        }
        for (int64_t i = 0; i < 36; i++) {
            const int64_t at = (6 * k + i / 6) * 6 * n + 6 * k + i % 6;
            Omega->x[at] = own->x[at];
        }
        if (up >= 0) { /* Omega(k, p) psi(p, k) = psi* Upsilon(p) psi */
            add_block(Omega, p->E_psi, k, up, k, Omega);
        }
    }
    return Omega;
}

static void measure(const products *p, double *out)
{
    const rct_spatial *s = p->s;
    const rct_matrix *Omega =
        times(p, rct_algebra_transposed(p->a, p->Hpsi), times(p, &s->D_inverse, p->Hpsi));
    const rct_matrix *through = rct_algebra_transposed(p->a, p->Hphi);
    const rct_matrix *later = times(p, p->tilde, &s->P);
    out[0] = apart(p, around(p, p->outer, &s->D), &s->mass);
    out[1] = apart(p, times(p, p->outer, p->inner), p->I_N);
    out[2] = apart(p, times(p, &s->mass, &s->inverse), p->I_N);
    out[3] = apart(p, times(p, p->inner, p->Hphi), p->Hpsi);
    out[4] = apart(p, around(p, through, &s->inverse), Omega);
    out[5] = apart(p, recurse(p), Omega);
    out[6] = apart(p, plus(p, &s->P, -1.0, around(p, p->E_psi, &s->P)), p->M);
    out[7] = apart(p, around(p, &s->psi, p->M),
                   plus(p, plus(p, &s->P, 1.0, later), 1.0, rct_algebra_transposed(p->a, later)));
    out[8] = apart(p, times(p, plus(p, p->I_6n, -1.0, p->E_psi), &s->phi),
                   plus(p, p->I_6n, 1.0, times(p, &s->K, p->Hphi)));
    out[9] =
        apart(p, plus(p, around(p, p->Hpsi, &s->M), 1.0, around(p, p->inner, p->rotors)), &s->D);
}

rct_status rct_spatial_identities_at(const rct_model *model, double time, const double *coordinates,
                                     const double *rates, double *apart_by, rct_error *error)
{
    rct_refinement r;
    rct_status status = rct_spatial_begin(&r, model, time, coordinates, rates, error);
    if (status == RCT_OK) {
        double found[RCT_REFERENCE_IDENTITIES];
        r.s->algebra.error = error;
        const products p = make(r.s);
        if (r.s->algebra.status == RCT_OK) {
            measure(&p, found);
        }
        status = r.s->algebra.status;
        for (int k = 0; k < RCT_REFERENCE_IDENTITIES && status == RCT_OK; k++) {
            apart_by[k] = found[k];
        }
    }
    rct_spatial_end(&r);
    return status;
}
