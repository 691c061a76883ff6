/* Pieces of narrow runs: method abi; and the kernels of that method. */
#define NARROW_ALL
#define WITH_ROTORS    0
#define PIECES_NAME(x) rct_##x##_pieces_abi

#include "kernels/cuda/pieces.h"

extern "C" {

extern const rct_group_launches rct_bare_groups_abi, rct_narrow_groups_abi, rct_plain_groups_abi,
    rct_armed_groups_abi;
extern const rct_junction_launches rct_ball_junction_abi, rct_any_junction_abi;

const rct_device_method rct_device_abi = {
    &rct_bare_groups_abi, &rct_narrow_groups_abi, &rct_plain_groups_abi, &rct_armed_groups_abi,
    &piece_launches,      &rct_ball_junction_abi, &rct_any_junction_abi};
}
