/* A sanitized build takes several times as long, so it runs one in ONE_IN of a test's many similar
 * cases. */
#ifndef RCT_TESTS_ONE_IN_H
#define RCT_TESTS_ONE_IN_H

#ifdef RCT_SANITIZED
enum { ONE_IN = 5 };
#else
enum { ONE_IN = 1 };
#endif

#endif
