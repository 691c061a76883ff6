/* Checks of the numbers of keys, by their tables (keys.h). */
#include "model/keys.h"

#include "core/numbers.h"

#include <string.h>

int rct_keys_finite(const rct_keys *keys, const void *object)
{
    int finite = 1;
    for (int i = 0; i < keys->count; i++) {
        const rct_key *k = &keys->key[i];
        finite = finite && rct_all_finite(rct_key_of(k, object), k->count);
    }
    return finite;
}

int rct_keys_unused(const rct_keys *keys, int uses, const void *object, const void *plain)
{
    int given = 0;
    for (int i = 0; i < keys->count; i++) {
        const rct_key *k = &keys->key[i];
        const void *own = rct_key_of(k, object), *none = rct_key_of(k, plain);
        const int same = k->count == RCT_HOLDS_BODY
                             ? *(const int32_t *)own == *(const int32_t *)none
                             : rct_all_equal(own, none, k->count);
        given |= (k->uses & uses) || same ? 0 : k->uses;
    }
    return given;
}

void rct_keys_clear(const rct_keys *keys, int uses, void *object, const void *plain)
{
    for (int i = 0; i < keys->count; i++) {
        const rct_key *k = &keys->key[i];
        if (!(k->uses & uses) && k->count > 0) {
            memcpy(rct_key_in(k, object), rct_key_of(k, plain), (size_t)k->count * sizeof(double));
        }
    }
}
