/* Reads a page back, with a reader of its own: the text of a key, and base64. */
#ifndef RCT_TESTS_PAGE_H
#define RCT_TESTS_PAGE_H

#include <stddef.h>
#include <stdint.h>

/* The whole file as text; to be freed. */
char *page_read(const char *path);

/* The text after "KEY": in the data of the page. */
const char *page_value(const char *page, const char *key);
double page_number(const char *page, const char *key, int index);
void page_box(const char *page, double box[6]);

/* The bytes of an array; to be freed. */
void *page_array(const char *page, const char *key, size_t *bytes);

/* A pose: position and quaternion, and the shares of the largest speeds and force. */
typedef struct page_pose {
    double position[3], orientation[4], speed, spin, force;
} page_pose;
page_pose page_pose_of(const uint32_t word[4], const double box[6]);

#endif
