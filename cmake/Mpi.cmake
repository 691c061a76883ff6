# The plugin that joins ranks by MPI: a shared object of its own, built where CMake finds MPI. The library names no
# MPI symbol and starts without it.
set(RCT_MPI AUTO CACHE STRING "Build the MPI plugin: AUTO (where MPI is found), ON, OFF")

if(RCT_MPI STREQUAL "OFF")
    return()
endif()
if(RCT_SANITIZE MATCHES "thread")
    message(STATUS "MPI plugin: left out of a build with ThreadSanitizer, which cannot follow MPI")
    return()
endif()
find_package(MPI QUIET COMPONENTS C)
if(NOT MPI_C_FOUND)
    if(RCT_MPI STREQUAL "ON")
        message(FATAL_ERROR "RCT_MPI is ON, but MPI was not found; install libopenmpi-dev and openmpi-bin, or set "
            "MPI_C_COMPILER to an mpicc")
    endif()
    message(STATUS "MPI plugin: left out, MPI was not found")
    return()
endif()
message(STATUS "MPI plugin: MPI ${MPI_C_VERSION}")

add_library(riccatree_mpi SHARED src/ranks/mpi/mpi.c)
target_include_directories(riccatree_mpi PRIVATE include src .)
target_link_libraries(riccatree_mpi PRIVATE rct_flags riccatree_archive MPI::MPI_C)
target_link_options(riccatree_mpi PRIVATE LINKER:--as-needed LINKER:--exclude-libs,ALL)
set_target_properties(riccatree_mpi PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
install(TARGETS riccatree_mpi COMPONENT mpi)
