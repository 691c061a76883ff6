/* Texts of what bits depend on, compared: what was written against what is asked for. */
#ifndef RCT_RECORD_DIFFERENCE_H
#define RCT_RECORD_DIFFERENCE_H

#include "record/file/call.h"

/* RCT_ERROR_ARGUMENT, showing the first line that differs, unless the texts are equal: "is of another `what`". */
void rct_check_text(rct_call *call, const char *what, const char *saved, const char *own);

/* The same of lines "NAME VALUE", naming what differs with both values, and what to do. */
void rct_check_facts(rct_call *call, const char *saved, const char *own, const char *advice);

/* RCT_ERROR_UNSUPPORTED, naming both, if `build` is not this one. */
void rct_check_same_build(rct_call *call, const char *build);

#endif
