/* Tables over time of a model: curves, targets of servos, relations and the ground. An integrator
 * with error control sees a motion at a few instants of each step, so it could pass over a pulse
 * in a table. */
#ifndef RCT_DYNAMICS_TIME_TABLES_H
#define RCT_DYNAMICS_TIME_TABLES_H

#include "model/model.h"

typedef struct rct_time_tables rct_time_tables;

/* Make `tables` of the model, which must outlive them; NULL if it has none. RCT_ERROR_MEMORY. */
rct_status rct_time_tables_create(const rct_model *model, rct_time_tables **tables,
                                  rct_error *error);
void rct_time_tables_free(rct_time_tables *tables); /* NULL does nothing */
int64_t rct_time_tables_bytes(const rct_time_tables *tables);

/* The part of a step of h from `time`, s, at whose end the first column of a table has moved by an
 * eighth of its range; h where none does. NULL: no tables. */
double rct_time_tables_step(const rct_time_tables *tables, double time, double h);

#endif
