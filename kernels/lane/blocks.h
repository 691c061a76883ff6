/* Products of blocks of six by six numbers, for fronts and other matrices of such blocks.
 * rct_lane_kernels_list says which ones are best on the machine. */
#ifndef RCT_KERNELS_LANE_BLOCKS_H
#define RCT_KERNELS_LANE_BLOCKS_H

typedef double rct_six[6];

/* `rows`: the number of rows of A, 6 at most. C and y are other memory than A, B and x. */
typedef struct rct_block_kernels {
    /* C = A B, other rows 0; C = A* B, of 6 rows; C = A B*, B also of `rows` rows. */
    void (*product)(int rows, rct_six *A, rct_six *B, rct_six *C);
    void (*turned_product)(rct_six *A, rct_six *B, rct_six *C);
    void (*product_turned)(int rows, rct_six *A, rct_six *B, rct_six *C);

    /* C -= A* B; C = A*, of 6 rows; C = L^-1 C, L lower, its diagonal inverted. */
    void (*take_off)(int rows, rct_six *A, rct_six *B, rct_six *C);
    void (*turn)(rct_six *A, rct_six *C);
    void (*reduce)(int rows, rct_six *L, rct_six *C);

    /* y += A x; y += A* x. */
    void (*apply)(int rows, rct_six *A, const double *x, double *y);
    void (*apply_turned)(int rows, rct_six *A, const double *x, double *y);
} rct_block_kernels;

#endif
