# Which kernels there are, and how they are compiled. They are only fast with their small loops unrolled, whatever
# the build type says; one file a lane width is compiled for the instruction set it needs and chosen at run time.
if(RCT_SANITIZE) # instrumented kernels take minutes to compile, and those of more lanes are the same source
    set(default_lanes 2)
    set(default_optimization -O1)
else()
    set(default_lanes 8)
    set(default_optimization -O3)
endif()
set(RCT_MOST_LANES ${default_lanes} CACHE STRING "Most lanes that there are kernels for: 2, 4 or 8")
set_property(SOURCE kernels/sweeps/lanes_w1.c APPEND PROPERTY
    COMPILE_DEFINITIONS RCT_MOST_LANES=${RCT_MOST_LANES})

set(kernel_aliases --param=sccvn-max-alias-queries-per-access=100) # GCC takes a quarter less time for almost the same code
set(kernel_options -fno-math-errno -Wno-psabi
    $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed> # it unrolls fewer of the loops that are to be unrolled
    $<$<C_COMPILER_ID:GNU>:${kernel_aliases}>)
set(RCT_KERNEL_OPTIMIZATION ${default_optimization} CACHE STRING "How kernels are optimized, but in debug builds; -O1 takes half the time to compile")
list(APPEND kernel_options $<$<NOT:$<CONFIG:Debug>>:${RCT_KERNEL_OPTIMIZATION}>)
if(RCT_SANITIZE MATCHES "address") # checks by calls take Clang a third of the time that checks in line take
    set(kernel_sanitizers $<$<C_COMPILER_ID:Clang>:-mllvm> $<$<C_COMPILER_ID:Clang>:-asan-instrumentation-with-call-threshold=0>)
endif()
if(RCT_SANITIZE MATCHES "undefined") # what it asks of each access takes Clang minutes; AddressSanitizer sees most of it
    list(APPEND kernel_sanitizers -fno-sanitize=null,alignment,object-size,pointer-overflow)
endif()
list(APPEND kernel_options ${kernel_sanitizers})
set_property(SOURCE kernels/laws/closure_slopes.c kernels/sweeps/poses.c kernels/sweeps/trunk_abi.c kernels/sweeps/trunk_riccati.c
    APPEND PROPERTY COMPILE_OPTIONS ${kernel_options})
set_property(SOURCE kernels/laws/closure_slopes.c # products of complex numbers that are finite
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
    if(RCT_SANITIZE AND lanes EQUAL 1) # the same source as of two lanes
        list(APPEND options -fno-sanitize=all)
    elseif(RCT_SANITIZE)
        list(APPEND options -fno-sanitize=undefined)
    endif()
    set(kernels kernels/sweeps/lanes_w${lanes}.c kernels/sweeps/abi_w${lanes}.c kernels/sweeps/riccati_w${lanes}.c)
    if(lanes EQUAL 4) # and single lanes for the same machines
        list(APPEND kernels kernels/sweeps/abi_rows.c kernels/sweeps/trunk_abi_rows.c kernels/sweeps/trunk_riccati_rows.c)
    endif()
    target_sources(riccatree_objects PRIVATE ${kernels})
    set_property(SOURCE ${kernels} APPEND PROPERTY COMPILE_OPTIONS ${options})
endforeach()
