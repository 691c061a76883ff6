/* The name that was meant, of those there are: the nearest by Damerau and Levenshtein's distance, if it is near. */
#ifndef RCT_CORE_NEAREST_H
#define RCT_CORE_NEAREST_H

#include <riccatree/status.h>

enum { RCT_NEAREST_SIZE = 128 };

/* Begin with `given` and zeros, offer what there is, ask for the hint. */
typedef struct rct_nearest {
    const char *given;
    int found;                   /* whether one is near                    */
    int distance;                /* of the nearest                         */
    int tied;                    /* others are as near: none is meant      */
    char name[RCT_NEAREST_SIZE]; /* the nearest, or the first of those tied */
} rct_nearest;

/* Edits that make `a` of `b`: a character put in, taken out, replaced, or swapped with its neighbour. Upper and lower case
 * count as the same, and - and _. Nobody mistypes a digit: an edit of one is out of reach. More than `most`, which is at most
 * RCT_NEAREST_SIZE: most + 1. */
int rct_edit_distance(const char *a, const char *b, int most);

void rct_nearest_offer(rct_nearest *nearest, const char *name);
void rct_nearest_offer_all(rct_nearest *nearest, const char *const *names);

/* The one that was meant, or NULL. */
const char *rct_nearest_name(const rct_nearest *nearest);

/* What rct_did_you_mean makes of it. */
const char *rct_nearest_hint(const rct_nearest *nearest, const char *advice,
                             char text[RCT_ERROR_TEXT_SIZE]);

#endif
