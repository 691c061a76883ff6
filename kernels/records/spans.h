/* Records of segments on their own: their two handles, and what reaches their ends. */
#ifndef RCT_KERNELS_RECORDS_SPANS_H
#define RCT_KERNELS_RECORDS_SPANS_H

/* The two handles of a segment (kernels/laws/abi_span_step.h). */
enum {
    SPAN_S = 0,           /* 6: kg         */
    SPAN_E = 6,           /* 3: N          */
    SPAN_THROUGH = 9,     /* 9: E, by rows */
    SPAN_FREE = 18,       /* 3: h, m/s^2   */
    SPAN_COMPLIANCE = 21, /* 6: Psi, 1/kg  */
    SPAN_CORE = 27
};

/* What reaches a segment. */
enum {
    END_LINEAR = 0, /* 3: A of its inboard hinge point, axes of the first link */
    END_HANDLE = 3, /* 9: S, e of all outboard of it, axes of the last link    */
    END_FIELDS = 12
};

#endif
