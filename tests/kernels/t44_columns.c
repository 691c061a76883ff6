/* Spans composed, closed and reached column by column, as lanes that share a pair do, against the
 * whole span at once. */
#include "tests/support/cmocka_all.h"
#include "tests/support/larger.h"

#include "kernels/laws/abi_column_step.h"
#include "tests/kernels/spans.h"

#include <string.h>

static const double epsilon = 0x1p-52;

/* The four columns of a composition put together. */
static abi_span compose_by_columns(const abi_span *p, const abi_span *c, double *size)
{
    static const int beside[3] = {3, 5, 4};
    const abi_joining joining = {p->compliance, p->free, c->handle, c->through};
    abi_span out = {p->handle, p->through, c->free, c->compliance};
    const double *ep = (const double *)&p->through, *ec = (const double *)&c->through;
    double *through = (double *)&out.through, *s = (double *)&out.handle.s;
    double *psi = (double *)&out.compliance, *e = (double *)&out.handle.e;
    *size = 0.0;
    for (int j = 0; j < 4; j++) {
        const int k = j % 3, n = (j + 1) % 3;
        const abi_compose_column x = abi_compose_by_column(
            &joining, j == 3, (vec3){ep[3 * k], ep[3 * k + 1], ep[3 * k + 2]},
            (vec3){ep[3 * n], ep[3 * n + 1], ep[3 * n + 2]}, (vec3){ec[k], ec[k + 3], ec[k + 6]},
            (vec3){ec[n], ec[n + 3], ec[n + 6]}, (vec3){j == 0, j == 1, j == 2});
        *size = larger(*size, x.close.whole * x.close.size);
        if (j == 3) {
            out.free = vec3_add(out.free, x.row);
            continue;
        }
        s[j] += x.close.diagonal, s[beside[j]] += x.close.beside;
        psi[j] += x.diagonal, psi[beside[j]] += x.beside;
        e[j] += x.close.bias;
        memcpy(through + 3 * j, &x.row, sizeof x.row);
    }
    return out;
}

/* Column by column the result is the same, with equal parts or one much lighter, and the outboard
 * part less the stand-in. */
static void test_columns(void **state)
{
    (void)state;
    uint64_t random = 8;
    for (int n = 0; n < 4000; n++) {
        const double mass = pow(10.0, draw_between(&random, -6.0, 6.0));
        const abi_span p = draw_span(&random, 1.0);
        abi_span c = draw_span(&random, mass);
        c.handle = abi_besides(c.handle, n % 2 ? 0.5 * mass / (1.0 + mass) : 0.0);
        mask regular;
        double size;
        const abi_span x = abi_span_compose(&p, &c, &regular);
        const abi_span y = compose_by_columns(&p, &c, &size);
        if (size > 1e6) { /* M nearly singular: both have lost digits */
            continue;
        }
        const double off = 16.0 * epsilon * size;
        assert_true(regular && abi_resists(size));
        assert_true(sym3_off(x.handle.s, y.handle.s) <= off * sym3_norm(x.handle.s));
        assert_true(vec3_off(x.handle.e, y.handle.e) <= off * 1e2 * (1.0 + mass));
        assert_true(mat3_off(x.through, y.through) <= off);
        assert_true(vec3_off(x.free, y.free) <= off * 1e2);
        assert_true(sym3_off(x.compliance, y.compliance) <= off * sym3_norm(x.compliance));
    }
}

/* Closing and reaching by columns are closing and reaching. */
static void test_columns_opened(void **state)
{
    (void)state;
    uint64_t random = 9;
    for (int n = 0; n < 2000; n++) {
        const abi_span p = draw_span(&random, 1.0);
        const double mass = pow(10.0, draw_between(&random, -3.0, 3.0));
        const abi_handle c = draw_span(&random, mass).handle;
        const vec3 a = draw_vector(&random, 10.0);
        mask regular;
        const abi_handle closed = abi_span_close(&p, c, &regular);
        const mat3 e = p.through;
        const abi_close_column x =
            abi_close_by_column(p.compliance, p.free, (vec3){e.xx, e.xy, e.xz},
                                (vec3){e.yx, e.yy, e.yz}, (vec3){1.0, 0.0, 0.0}, c);
        const double size = x.whole * x.size, off = 64.0 * epsilon * size * (1.0 + mass);
        assert_true(fabs(p.handle.s.xx + x.diagonal - closed.s.xx) <= off);
        assert_true(fabs(p.handle.s.xy + x.beside - closed.s.xy) <= off);
        assert_true(fabs(p.handle.e.x + x.bias - closed.e.x) <= 100.0 * off);
        const vec3 free = vec3_add(mat3_apply_transposed(e, a), p.free);
        const vec3 y = abi_reach_by_column(p.compliance, free, c);
        assert_true(vec3_off(y, abi_span_reach(&p, c, a)) <= 1000.0 * off);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_columns_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
