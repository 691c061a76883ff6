/* The serial sweep of abi as a table of kernels. */
#include "kernels/serial_abi.h"

const rct_serial_kernels rct_serial_abi = SERIAL_ABI_TABLE;
