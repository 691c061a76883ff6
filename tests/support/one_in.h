/* Of a test's many cases that are alike, a sanitized build, which takes several times as long, does one in ONE_IN. */
#ifndef RCT_TESTS_ONE_IN_H
#define RCT_TESTS_ONE_IN_H

#ifdef RCT_SANITIZED
enum { ONE_IN = 5 };
#else
enum { ONE_IN = 1 };
#endif

#endif
