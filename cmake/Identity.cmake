# Names the build for rct_build(). Two builds of one name compute the same bits, so one can continue from a checkpoint of the
# other. The name depends on the compiler, its flags and every source of the library, but not on the sources of the references,
# the command line and the tests. Include this file after all languages are enabled.
string(TOUPPER "${CMAKE_BUILD_TYPE}" identity_type)
string(CONCAT identity_flags "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${identity_type}} ${CMAKE_CXX_FLAGS}"
    " strict=${RCT_STRICT} sanitize=${RCT_SANITIZE} device=${CMAKE_CUDA_COMPILER_VERSION}")
set(identity_compiler "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}, ${CMAKE_SYSTEM_PROCESSOR}")
set(identity_strict "")
if(RCT_STRICT)
    set(identity_strict ", strict")
endif()

file(GLOB_RECURSE identity_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    cmake/*.cmake include/*.h kernels/*.[ch] kernels/*.cu src/*.[ch])
list(FILTER identity_sources EXCLUDE REGEX "^src/(cli|reference)/")
set(identity_list ${PROJECT_BINARY_DIR}/identity/sources.txt)
string(JOIN "\n" identity_lines ${identity_sources})
file(CONFIGURE OUTPUT ${identity_list} CONTENT "${identity_lines}\n" @ONLY)

list(TRANSFORM identity_sources PREPEND ${PROJECT_SOURCE_DIR}/)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/identity/build_name.h
    COMMAND ${CMAKE_COMMAND} "-Dlist=${identity_list}" "-Droot=${PROJECT_SOURCE_DIR}"
        "-Dcompiler=${identity_compiler}" "-Dstrict=${identity_strict}" "-Dflags=${identity_flags}"
        "-Doutput=${PROJECT_BINARY_DIR}/identity/build_name.h"
        -P ${PROJECT_SOURCE_DIR}/cmake/WriteIdentity.cmake
    DEPENDS ${identity_sources} ${identity_list} ${PROJECT_SOURCE_DIR}/cmake/WriteIdentity.cmake
    COMMENT "Naming the build" VERBATIM)
add_custom_target(riccatree_build_name DEPENDS ${PROJECT_BINARY_DIR}/identity/build_name.h)
foreach(target riccatree_objects riccatree_reference_objects)
    add_dependencies(${target} riccatree_build_name)
endforeach()
set_source_files_properties(src/core/version.c src/reference/reference.c PROPERTIES
    INCLUDE_DIRECTORIES ${PROJECT_BINARY_DIR}/identity)
