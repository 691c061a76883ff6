/* What no body or model may be called. */
#ifndef RCT_MODEL_NAME_CHECK_H
#define RCT_MODEL_NAME_CHECK_H

/* Why a model file could not hold `name`, as the end of a sentence about it, or NULL if it can. */
const char *rct_name_trouble(const char *name);

/* The same for a body, which is besides what other bodies call their parent. */
const char *rct_body_name_trouble(const char *name);

#endif
