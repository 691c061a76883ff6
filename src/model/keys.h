/* Keys by which model files describe forces, loops and the motion of the ground, as data. The
 * code that reads, writes and checks them is made from these tables, as that of hinges from
 * hinge_types.h. */
#ifndef RCT_MODEL_KEYS_H
#define RCT_MODEL_KEYS_H

#include <stddef.h>

/* Instead of a count of numbers: the id of a body or the ground; another kind of content with
 * its own code; three numbers, or one number that stands for all three. */
enum { RCT_HOLDS_BODY = 0, RCT_HOLDS_OTHER = -1, RCT_HOLDS_EVEN = -2 };

typedef struct rct_key {
    const char *name;
    size_t offset;      /* in the struct, not for RCT_HOLDS_OTHER                    */
    int uses;           /* bits of the kinds that use the key                        */
    int count;          /* number of doubles                                         */
    const char *advice; /* what to add if a file lacks this required key; NULL: optional */
} rct_key;

/* In the order of a model file. */
typedef struct rct_keys {
    const rct_key *key;
    int count;
} rct_keys;

extern const rct_keys rct_force_keys; /* bits: 1 << type    */
extern const rct_keys rct_loop_keys;  /* bits: loop_check.h */
extern const rct_keys rct_base_keys;  /* bits: these        */
enum { RCT_BASE_AXIS = 1, RCT_BASE_CONSTANTS = 2, RCT_BASE_TABLE = 4 };

/* The content of a key in `object`. */
static inline void *rct_key_in(const rct_key *key, void *object)
{
    return (char *)object + key->offset;
}

static inline const void *rct_key_of(const rct_key *key, const void *object)
{
    return (const char *)object + key->offset;
}

int rct_keys_finite(const rct_keys *keys, const void *object);

/* Bits of the keys that no kind of `uses` uses and that differ from `plain`; 0 equals -0. */
int rct_keys_unused(const rct_keys *keys, int uses, const void *object, const void *plain);

/* Set the numbers of those keys to `plain`, to the bit. */
void rct_keys_clear(const rct_keys *keys, int uses, void *object, const void *plain);

#endif
