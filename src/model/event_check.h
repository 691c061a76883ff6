/* The keys that each type of event uses. */
#ifndef RCT_MODEL_EVENT_CHECK_H
#define RCT_MODEL_EVENT_CHECK_H

#include "model/keys.h"

#include <riccatree/event.h>

/* Bits: 1 << type. */
extern const rct_keys rct_event_keys;

#endif
