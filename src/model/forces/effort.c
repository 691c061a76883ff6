/* Forces at hinges (effort.h). */
#include "model/forces/effort.h"

#include "core/rotation.h"
#include "model/forces/spline.h"

#include <math.h>

static rct_force_effort friction(const rct_force *f, double time, double q, double u)
{
    const double more = f->breakaway != 0.0 ? f->breakaway - f->coulomb : 0.0;
    const double way = more != 0.0 ? u / f->stribeck : 0.0;
    const double falling = more != 0.0 ? more * exp(-way * way) : 0.0;
    const double sign = tanh(u / f->slip), size = f->coulomb + falling;
    const double fall = more != 0.0 ? -2.0 * way / f->stribeck * falling : 0.0;
    (void)time;
    (void)q;
    return (rct_force_effort){
        .effort = -size * sign,
        .by_rate = -(fall * sign + size * (1.0 - sign * sign) / f->slip),
    };
}

static double beyond_limits(const rct_force *f, double q)
{
    return q > f->upper ? q - f->upper : q < f->lower ? q - f->lower : 0.0;
}

static rct_force_effort limit(const rct_force *f, double time, double q, double u)
{
    const double beyond = beyond_limits(f, q);
    const double effort = -(f->stiffness * beyond + f->damping * u);
    rct_force_effort e = {.kept = -f->stiffness * beyond};
    (void)time;
    if (effort * beyond < 0.0) { /* it pushes back */
        e.effort = effort;
        e.by_coordinate = -f->stiffness;
        e.by_rate = -f->damping;
    }
    return e;
}

/* The target g and dg/dt. */
static rct_on_spline target_of(const rct_force *f, double time)
{
    if (f->rows > 0) {
        return rct_splines_own_at(f->table, f->rows, time);
    }
    const double angle = f->angular_frequency * time + f->phase;
    return (rct_on_spline){f->target + f->target_rate * time + f->amplitude * sin(angle),
                           f->target_rate + f->amplitude * f->angular_frequency * cos(angle), 0.0};
}

static rct_force_effort servo(const rct_force *f, double time, double q, double u)
{
    const rct_on_spline goal = target_of(f, time);
    const double effort = f->stiffness * (goal.x - q) + f->damping * (goal.v - u);
    if (f->saturation > 0.0 && fabs(effort) > f->saturation) {
        return (rct_force_effort){.effort = copysign(f->saturation, effort)};
    }
    return (rct_force_effort){
        .effort = effort, .by_coordinate = -f->stiffness, .by_rate = -f->damping};
}

static rct_force_effort curve(const rct_force *f, double time, double q, double u)
{
    const double x = f->over == RCT_OVER_COORDINATE ? q : f->over == RCT_OVER_RATE ? u : time;
    const rct_on_spline at = rct_splines_own_at(f->table, f->rows, x);
    rct_force_effort e = {.effort = at.x};
    if (f->over == RCT_OVER_COORDINATE) {
        e.by_coordinate = at.v;
        e.kept = at.x;
    } else if (f->over == RCT_OVER_RATE) {
        e.by_rate = at.v;
    }
    return e;
}

rct_force_effort rct_force_exert(const rct_force *f, double time, double q, double u)
{
    static rct_force_effort (*const exert[RCT_FORCE_TYPES])(const rct_force *, double, double,
                                                            double) = {
        [RCT_FORCE_FRICTION] = friction,
        [RCT_FORCE_LIMIT] = limit,
        [RCT_FORCE_SERVO] = servo,
        [RCT_FORCE_CURVE] = curve,
    };
    return exert[f->type](f, time, q, u);
}

rct_rubbing rct_force_rub(const rct_force *f, const double rate[3])
{
    const double speed = sqrt(rct_dot(rate, rate));
    const rct_force_effort e = friction(f, 0.0, 0.0, speed);
    return (rct_rubbing){speed > 0.0 ? -e.effort / speed : -e.by_rate, -e.by_rate};
}

double rct_force_energy(const rct_force *f, double q)
{
    if (f->type == RCT_FORCE_CURVE && f->over == RCT_OVER_COORDINATE) {
        const rct_splines splines = {f->table, f->table + 2 * f->rows, f->rows, 1};
        return -rct_splines_integral(&splines, 0, q);
    }
    const double beyond = f->type == RCT_FORCE_LIMIT ? beyond_limits(f, q) : 0.0;
    return 0.5 * f->stiffness * beyond * beyond;
}

/* ---- between points ----------------------------------------------------------------------- */

double rct_force_pull(const rct_force *f, double distance, double rate)
{
    const double pull = f->stiffness * (distance - f->length) + f->damping * rate;
    const int slack = f->type == RCT_FORCE_CABLE && (distance <= f->length || pull < 0.0);
    return slack ? 0.0 : pull;
}

double rct_force_stretch_energy(const rct_force *f, double distance)
{
    const double stretch = distance - f->length;
    const int slack = f->type == RCT_FORCE_CABLE && stretch < 0.0;
    return slack ? 0.0 : 0.5 * f->stiffness * stretch * stretch;
}
