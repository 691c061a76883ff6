# The CUDA backend: a plugin in a shared object of its own, built where nvcc is found. The library names no
# CUDA symbol and starts without it.
set(RCT_CUDA AUTO CACHE STRING "Build the CUDA backend: AUTO (where nvcc is found), ON, OFF")
set(RCT_CUDA_ARCHITECTURES "80-real;90-real;100" CACHE STRING "Architectures that the kernels are compiled for")

set(cuda_host_sources
    src/backend/cuda/across.c
    src/backend/cuda/dense.c
    src/backend/cuda/device.c
    src/backend/cuda/faults.c
    src/backend/cuda/graph.c
    src/backend/cuda/junction.c
    src/backend/cuda/keep.c
    src/backend/cuda/lease.c
    src/backend/cuda/moves.c
    src/backend/cuda/poses.c
    src/backend/cuda/predict.c
    src/backend/cuda/run.c
    src/backend/cuda/runs.c
    src/backend/cuda/state.c
    src/backend/cuda/sweep.c
    src/backend/cuda/trunk.c
    src/backend/cuda/upload.c)
set(cuda_kernel_sources
    kernels/cuda/across.cu
    kernels/cuda/any_junction_abi.cu
    kernels/cuda/any_junction_riccati.cu
    kernels/cuda/armed_abi.cu
    kernels/cuda/armed_riccati.cu
    kernels/cuda/ball_junction_abi.cu
    kernels/cuda/ball_junction_riccati.cu
    kernels/cuda/bare_abi.cu
    kernels/cuda/bare_riccati.cu
    kernels/cuda/chains.cu
    kernels/cuda/frames.cu
    kernels/cuda/join.cu
    kernels/cuda/moves.cu
    kernels/cuda/narrow_abi.cu
    kernels/cuda/narrow_riccati.cu
    kernels/cuda/pieces_abi.cu
    kernels/cuda/pieces_riccati.cu
    kernels/cuda/plain_abi.cu
    kernels/cuda/plain_riccati.cu)

if(RCT_CUDA STREQUAL "OFF")
    return()
endif()
if(RCT_SANITIZE)
    message(STATUS "CUDA backend: left out of a build with sanitizers")
    return()
endif()
include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
    if(RCT_CUDA STREQUAL "ON")
        message(FATAL_ERROR "RCT_CUDA is ON, but nvcc was not found; put it on PATH or set CUDACXX")
    endif()
    message(STATUS "CUDA backend: left out, nvcc was not found")
    return()
endif()

set(CMAKE_CUDA_ARCHITECTURES ${RCT_CUDA_ARCHITECTURES})
enable_language(CUDA)
set(CMAKE_CUDA_STANDARD 17)
add_library(riccatree_cuda SHARED ${cuda_host_sources} ${cuda_kernel_sources})
target_include_directories(riccatree_cuda PRIVATE include src .)
target_include_directories(riccatree_cuda SYSTEM PRIVATE ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
# Kernels may have no spills and no stack, because a recursion must stay in registers. Exceptions need a few words of stack:
# kernels of strict builds, which are made for bits and not for speed, kernels of one thread, with rotors and of riccati.
set(cuda_options)
set(lean_kernels ${cuda_kernel_sources})
list(FILTER lean_kernels EXCLUDE REGEX "_riccati|_junction_|/armed_")
if(RCT_WERROR)
    list(APPEND cuda_options -Werror=all-warnings -Xcompiler=-Wall,-Wextra,-Werror)
endif()
if(RCT_STRICT)
    list(APPEND cuda_options -fmad=false -DRCT_STRICT_DIVISION)
else()
    set_source_files_properties(${lean_kernels} PROPERTIES COMPILE_OPTIONS
        "-Xptxas=-warn-spills,-warn-lmem-usage$<$<BOOL:${RCT_WERROR}>:;-Xptxas=-Werror>")
endif()
target_compile_options(riccatree_cuda PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_options}>")
target_link_libraries(riccatree_cuda PRIVATE rct_flags riccatree_archive)
target_link_options(riccatree_cuda PRIVATE LINKER:--as-needed LINKER:--exclude-libs,ALL)
set_target_properties(riccatree_cuda PROPERTIES
    CUDA_RUNTIME_LIBRARY Static
    CUDA_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
install(TARGETS riccatree_cuda COMPONENT cuda)
