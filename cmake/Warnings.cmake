# Flags every source of the project is compiled with.
add_library(rct_flags INTERFACE)
target_compile_options(rct_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow>"
    $<$<COMPILE_LANGUAGE:C>:-Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla>)
if(RCT_WERROR)
    target_compile_options(rct_flags INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:-Werror>)
endif()
if(RCT_STRICT)
    # GCC (12, at least) joins products and sums into vfmaddsub in spite of it, where it makes vectors of
    # straight-line code for a machine that has the instruction.
    target_compile_options(rct_flags INTERFACE
        $<$<COMPILE_LANGUAGE:C,CXX>:-ffp-contract=off>
        $<$<COMPILE_LANG_AND_ID:C,GNU>:-fno-tree-slp-vectorize>
        $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-tree-slp-vectorize>)
    target_compile_definitions(rct_flags INTERFACE RCT_STRICT)
endif()
if(RCT_SANITIZE)
    # instrumented kernels take minutes to compile: half of it to optimize them, half of the rest to track variables, where
    # reports need lines only; and GCC cannot follow what they set; plugins in C++ do not find what two checks of Clang ask for
    add_compile_definitions(RCT_SANITIZED)
    add_compile_options(-fsanitize=${RCT_SANITIZE} -fno-sanitize=vptr -fno-omit-frame-pointer -O1 -g1
        $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fno-sanitize=function>
        $<$<COMPILE_LANG_AND_ID:C,GNU>:-fno-var-tracking> $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-var-tracking>
        $<$<COMPILE_LANG_AND_ID:C,GNU>:-Wno-maybe-uninitialized>)
    add_link_options(-fsanitize=${RCT_SANITIZE})
    find_program(RCT_LLD ld.lld)
    if(RCT_LLD AND CMAKE_C_COMPILER_ID STREQUAL "Clang") # it takes half the time for several hundred tests
        add_link_options(-fuse-ld=lld)
    endif()
endif()
