/* The names of methods, for all users of them. */
#include <riccatree/solver.h>

const char *rct_method_name(rct_method method)
{
    switch (method) {
    case RCT_METHOD_ABI: return "abi";
    case RCT_METHOD_RICCATI: return "riccati";
    }
    return "unknown";
}
