/* The tables of lane kernels, one translation unit a width. */
#ifndef RCT_KERNELS_TILE_WIDTHS_H
#define RCT_KERNELS_TILE_WIDTHS_H

#include "kernels/tiles.h"

extern const rct_tile_kernels rct_tile_kernels_w1;
extern const rct_tile_kernels rct_tile_kernels_w2;
extern const rct_tile_kernels rct_tile_kernels_w4;
extern const rct_tile_kernels rct_tile_kernels_w8;

#endif
