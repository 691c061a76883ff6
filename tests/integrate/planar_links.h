/* Links of 1 m and 1 kg that swing in the x-y plane, gravity along -y, on ball or revolute hinges,
 * and their places after some time: from solutions in quadruple precision and from Lagrange
 * equations in angles. Deviations fail the test. */
#ifndef RCT_TESTS_PLANAR_LINKS_H
#define RCT_TESTS_PLANAR_LINKS_H

#include "tests/integrate/planar.h"

#include <riccatree/solver.h>

/* A point mass on a link that points to -x: IFToMM benchmark A01; and two links that point to +x,
 * uniform rods or point masses at their ends. They start from rest. */
rct_model *planar_pendulum(rct_hinge_type hinge);
rct_model *planar_two_links(rct_hinge_type hinge, int point);

/* Fail unless the links are in their known places, every link in the plane: the pendulum after 1,
 * 10 and 20 s; two links after 1 s to within limit[0], after 2 s to within limit[1]. */
void planar_check_pendulum(rct_solver *solver);
void planar_check_two_links(rct_solver *solver, int point, double dt, const double limit[2]);

/* Bodies 7, 1, 5, 3 of seed 000, Fig. 2: the bar 7 hangs by its middle, 1 on its left end, 5 on its
 * right end and 3 on 5. The seed counts theta from the tip upward; here rods hang along their x
 * axis. The same in angles of the x axes: at the start, and a second later. */
rct_model *planar_four_bodies(rct_hinge_type hinge);
planar_state planar_four_angles(void);
planar_state planar_four_later(planar_state angles);

void planar_run_to(rct_solver *solver, double t, double dt);
void planar_expect_in_plane(const rct_solver *solver);

/* The largest difference of a direction cosine or an angular velocity of the four bodies. */
double planar_off_angles(const rct_solver *solver, const planar_state *truth);

#endif
