/* The name that was meant, of those that exist: the nearest by Damerau and Levenshtein's distance,
 * if it is near. */
#ifndef RCT_CORE_NEAREST_H
#define RCT_CORE_NEAREST_H

#include <riccatree/status.h>

enum { RCT_NEAREST_SIZE = 128 };

/* Begin with `given` and zeros, offer the names that exist, then ask for the hint. */
typedef struct rct_nearest {
    const char *given;
    int found;                   /* whether one is near */
    int distance;                /* of the nearest */
    int tied;                    /* others are as near: no name is meant */
    char name[RCT_NEAREST_SIZE]; /* the nearest, or the first of those tied */
} rct_nearest;

/* The number of edits from `a` to `b`: a character inserted, removed, replaced, or swapped with its
 * neighbour. Upper and lower case count as equal, and so do - and _. Digits are not mistyped: an
 * edit of a digit is out of reach. If there are more than `most` edits, which is at most
 * RCT_NEAREST_SIZE, returns most + 1. */
int rct_edit_distance(const char *a, const char *b, int most);

void rct_nearest_offer(rct_nearest *nearest, const char *name);
void rct_nearest_offer_all(rct_nearest *nearest, const char *const *names);

/* The name that was meant, or NULL. */
const char *rct_nearest_name(const rct_nearest *nearest);

/* The text of rct_did_you_mean for it. */
const char *rct_nearest_hint(const rct_nearest *nearest, const char *advice,
                             char text[RCT_ERROR_TEXT_SIZE]);

#endif
