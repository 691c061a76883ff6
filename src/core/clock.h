/* A clock that only goes forward. */
#ifndef RCT_CORE_CLOCK_H
#define RCT_CORE_CLOCK_H

double rct_seconds(void); /* s, since some moment of the past */

#endif
