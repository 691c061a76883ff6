/* The serial sweep of riccati as a table of kernels. */
#include "kernels/serial_riccati.h"

const rct_serial_kernels rct_serial_riccati = SERIAL_RICCATI_TABLE;
