# Eigenvalues by ARPACK: a plugin in a shared object of its own, built where ARPACK is found. The library names no symbol of
# ARPACK, and starts without it and without the LAPACK and BLAS that ARPACK needs.
set(RCT_ARPACK AUTO CACHE STRING "Build the ARPACK plugin: AUTO (where ARPACK is found), ON, OFF")

if(RCT_ARPACK STREQUAL "OFF")
    return()
endif()
find_library(arpack_library arpack)
find_path(arpack_include arpack/arpack.h)
if(NOT arpack_library OR NOT arpack_include)
    if(RCT_ARPACK STREQUAL "ON")
        message(FATAL_ERROR "RCT_ARPACK is ON, but ARPACK was not found; install libarpack2-dev, or add the prefix that has "
            "it to CMAKE_PREFIX_PATH")
    endif()
    message(STATUS "ARPACK plugin: left out, ARPACK was not found")
    return()
endif()
message(STATUS "ARPACK plugin: ${arpack_library}")

add_library(riccatree_arpack SHARED src/analysis/arpack/arpack.c)
target_include_directories(riccatree_arpack PRIVATE include src .)
target_include_directories(riccatree_arpack SYSTEM PRIVATE ${arpack_include})
target_link_libraries(riccatree_arpack PRIVATE rct_flags riccatree_archive ${arpack_library} rct_lapacke)
target_link_options(riccatree_arpack PRIVATE LINKER:--as-needed LINKER:--exclude-libs,ALL)
set_target_properties(riccatree_arpack PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
install(TARGETS riccatree_arpack COMPONENT arpack)
