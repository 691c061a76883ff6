# The kernels and how they are compiled. Kernels are only fast with their small loops unrolled, whatever the build type is.
# One file per lane width is compiled for the instruction set that it needs, and chosen at run time.
if(RCT_SANITIZE) # instrumented kernels take minutes to compile, and kernels of more lanes have the same source
    set(default_lanes 2)
    set(default_optimization -O1)
else()
    set(default_lanes 8)
    set(default_optimization -O3)
endif()
set(RCT_MOST_LANES ${default_lanes} CACHE STRING "Largest number of lanes of the kernels: 2, 4 or 8")
set_property(SOURCE kernels/sweeps/lanes_w1.c APPEND PROPERTY
    COMPILE_DEFINITIONS RCT_MOST_LANES=${RCT_MOST_LANES})

set(kernel_aliases --param=sccvn-max-alias-queries-per-access=100) # GCC takes a quarter less time for almost the same code
set(kernel_options -fno-math-errno -Wno-psabi
    $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed> # Clang unrolls fewer of the marked loops
    $<$<C_COMPILER_ID:GNU>:${kernel_aliases}>)
set(RCT_KERNEL_OPTIMIZATION ${default_optimization} CACHE STRING "Optimization of the kernels, except in debug builds; -O1 takes half the time to compile")
list(APPEND kernel_options $<$<NOT:$<CONFIG:Debug>>:${RCT_KERNEL_OPTIMIZATION}>)
if(RCT_SANITIZE MATCHES "address") # Clang compiles checks by calls in a third of the time of inline checks
    set(kernel_sanitizers $<$<C_COMPILER_ID:Clang>:-mllvm> $<$<C_COMPILER_ID:Clang>:-asan-instrumentation-with-call-threshold=0>)
endif()
if(RCT_SANITIZE MATCHES "undefined") # these checks of each access take Clang minutes; AddressSanitizer finds most of what they find
    list(APPEND kernel_sanitizers -fno-sanitize=null,alignment,object-size,pointer-overflow)
endif()
list(APPEND kernel_options ${kernel_sanitizers})
set_property(SOURCE kernels/laws/closure_slopes.c kernels/sweeps/poses.c kernels/sweeps/trunk_abi.c kernels/sweeps/trunk_riccati.c
    APPEND PROPERTY COMPILE_OPTIONS ${kernel_options})
set_property(SOURCE kernels/laws/closure_slopes.c # its products of complex numbers are finite
    APPEND PROPERTY COMPILE_OPTIONS $<$<C_COMPILER_ID:GNU>:-fcx-limited-range>)

set(instructions_4 -mavx2 -mfma)
set(instructions_8 -mavx512f -mavx512dq -mfma)
foreach(lanes 1 2 4 8)
    if(lanes GREATER RCT_MOST_LANES)
        break()
    endif()
    set(options ${kernel_options})
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        list(APPEND options ${instructions_${lanes}})
    endif()
    if(RCT_SANITIZE AND lanes EQUAL 1) # the source is the same as for two lanes
        list(APPEND options -fno-sanitize=all)
    elseif(RCT_SANITIZE)
        list(APPEND options -fno-sanitize=undefined)
    endif()
    set(kernels kernels/sweeps/lanes_w${lanes}.c kernels/sweeps/abi_w${lanes}.c kernels/sweeps/riccati_w${lanes}.c)
    if(lanes EQUAL 4) # and the kernels of single lanes for the same machines
        list(APPEND kernels kernels/sweeps/abi_rows.c kernels/sweeps/trunk_abi_rows.c kernels/sweeps/trunk_riccati_rows.c)
    endif()
    target_sources(riccatree_objects PRIVATE ${kernels})
    set_property(SOURCE ${kernels} APPEND PROPERTY COMPILE_OPTIONS ${options})
endforeach()
