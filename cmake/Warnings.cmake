include(CheckCCompilerFlag)

# The flags that all sources of the project are compiled with.
add_library(rct_flags INTERFACE)
target_compile_options(rct_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow>"
    $<$<COMPILE_LANGUAGE:C>:-Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla>)
if(RCT_WERROR)
    target_compile_options(rct_flags INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:-Werror>)
endif()
# GCC copies and clears structs by string instructions of x86, which take some tens of cycles to begin. Loops are faster
# for the sizes of structs, and the functions of the C library for more (docs/decisions.md).
set(in_loops unrolled_loop:512:noalign,libcall:-1:noalign)
check_c_compiler_flag("-mmemcpy-strategy=${in_loops} -mmemset-strategy=${in_loops}" RCT_COPIES_IN_LOOPS)
if(RCT_COPIES_IN_LOOPS)
    target_compile_options(rct_flags INTERFACE
        "$<$<COMPILE_LANG_AND_ID:C,GNU>:-mmemcpy-strategy=${in_loops};-mmemset-strategy=${in_loops}>")
endif()
if(RCT_STRICT)
    # In spite of -ffp-contract=off GCC (at least 12) joins products and sums into vfmaddsub, where it vectorizes
    # straight-line code for a machine with this instruction; -fno-tree-slp-vectorize prevents this.
    target_compile_options(rct_flags INTERFACE
        $<$<COMPILE_LANGUAGE:C,CXX>:-ffp-contract=off>
        $<$<COMPILE_LANG_AND_ID:C,GNU>:-fno-tree-slp-vectorize>
        $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-tree-slp-vectorize>)
    target_compile_definitions(rct_flags INTERFACE RCT_STRICT)
endif()
if(RCT_SANITIZE)
    # Instrumented kernels take minutes to compile: -O1 halves the time; -g1 and -fno-var-tracking halve the rest, and reports
    # need only line numbers. GCC warns wrongly of uninitialized variables. C++ plugins lack symbols that two checks of Clang need.
    add_compile_definitions(RCT_SANITIZED)
    add_compile_options(-fsanitize=${RCT_SANITIZE} -fno-sanitize=vptr -fno-omit-frame-pointer -O1 -g1
        $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fno-sanitize=function>
        $<$<COMPILE_LANG_AND_ID:C,GNU>:-fno-var-tracking> $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-var-tracking>
        $<$<COMPILE_LANG_AND_ID:C,GNU>:-Wno-maybe-uninitialized>)
    add_link_options(-fsanitize=${RCT_SANITIZE})
    find_program(RCT_LLD ld.lld)
    if(RCT_LLD AND CMAKE_C_COMPILER_ID STREQUAL "Clang") # lld links the several hundred tests in half the time
        add_link_options(-fuse-ld=lld)
    endif()
endif()
