/* Tables of Runge-Kutta pairs: a stage is at y + h sum_{j<i} a_ij k_j, a step ends at y + h sum b_i
 * k_i, with an error of about h sum e_i k_i, where e is b less the weights of the lower order. */
#ifndef RCT_INTEGRATE_TABLES_H
#define RCT_INTEGRATE_TABLES_H

enum { DOPRI5_STAGES = 7, ARK4_STAGES = 6 };

/* Dormand and Prince (1980), orders 5 and 4. The last stage is the end of the step: its row is
 * b. */
extern const double rct_dopri5_a[DOPRI5_STAGES][DOPRI5_STAGES];
extern const double rct_dopri5_c[DOPRI5_STAGES];
extern const double rct_dopri5_e[DOPRI5_STAGES];

/* ARK4(3)6L[2]SA, Kennedy and Carpenter (2003), orders 4 and 3: an explicit and an implicit table
 * with the same b and c. The diagonal of the implicit one is RCT_ARK4_GAMMA except in its first
 * stage, which is explicit; its last row is b. */
#define RCT_ARK4_GAMMA 0.25
extern const double rct_ark4_explicit[ARK4_STAGES][ARK4_STAGES];
extern const double rct_ark4_implicit[ARK4_STAGES][ARK4_STAGES];
extern const double rct_ark4_c[ARK4_STAGES];
extern const double rct_ark4_e[ARK4_STAGES];

#endif
