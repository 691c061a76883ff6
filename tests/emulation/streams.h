// The interface between streams.cpp, where work is issued, and graphs.cpp, which keeps captured
// work.
#ifndef RCT_EMULATION_STREAMS_H
#define RCT_EMULATION_STREAMS_H

#include "machine.h"

namespace emulation
{
cudaError_t graph_add(CUgraph_st *graph, std::function<void()> act);
void graph_spoil(CUgraph_st *graph); // its capture is invalid

// Whether the mode of the capture forbids unsafe calls of this thread.
bool graph_forbids(const CUgraph_st *graph);

CUgraph_st **recording_of(cudaStream_t stream); // null if it is not a stream that can be captured
void end_recording(const CUgraph_st *graph);    // in every stream that joined
} // namespace emulation

#endif
