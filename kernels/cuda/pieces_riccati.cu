/* Pieces of narrow runs: method riccati; and the kernels of that method. */
#define METHOD_RICCATI
#define NARROW_ALL
#define WITH_ROTORS    0
#define PIECES_NAME(x) rct_##x##_pieces_riccati

#include "kernels/cuda/pieces.h"

extern "C" {

extern const rct_group_launches rct_bare_groups_riccati, rct_narrow_groups_riccati,
    rct_plain_groups_riccati, rct_armed_groups_riccati;
extern const rct_junction_launches rct_ball_junction_riccati, rct_any_junction_riccati;

const rct_device_method rct_device_riccati = {&rct_bare_groups_riccati,  &rct_narrow_groups_riccati,
                                              &rct_plain_groups_riccati, &rct_armed_groups_riccati,
                                              &piece_launches,           &rct_ball_junction_riccati,
                                              &rct_any_junction_riccati};
}
