# How kernels are compiled. They are only fast with their small loops unrolled, whatever the build type
# says; one file a lane width is compiled for the instruction set it needs and chosen at run time.
set(kernel_options $<$<NOT:$<CONFIG:Debug>>:-O3> -fno-math-errno -Wno-psabi)
set_source_files_properties(
    kernels/mixed_riccati_w1.c kernels/mixed_riccati_w2.c kernels/mixed_state.c
    kernels/mixed_trunk.c kernels/mixed_trunk_riccati.c kernels/mixed_w1.c kernels/mixed_w2.c
    kernels/operators.c kernels/serial_abi.c kernels/serial_riccati.c kernels/serial_state.c
    kernels/tile_w1.c kernels/tile_w2.c PROPERTIES COMPILE_OPTIONS "${kernel_options}")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set_source_files_properties(
        kernels/mixed_riccati_w4.c kernels/mixed_w4.c kernels/tile_w4.c PROPERTIES
        COMPILE_OPTIONS "${kernel_options};-mavx2;-mfma")
    set_source_files_properties(
        kernels/mixed_riccati_w8.c kernels/mixed_w8.c kernels/tile_w8.c PROPERTIES
        COMPILE_OPTIONS "${kernel_options};-mavx512f;-mavx512dq;-mfma")
else()
    set_source_files_properties(
        kernels/mixed_riccati_w4.c kernels/mixed_riccati_w8.c kernels/mixed_w4.c kernels/mixed_w8.c
        kernels/tile_w4.c kernels/tile_w8.c PROPERTIES
        COMPILE_OPTIONS "${kernel_options}")
endif()
if(RCT_SANITIZE) # instrumented, a file of mixed kernels takes minutes at -O3; those of many lanes are the same source
    foreach(lanes 1 2 4 8)
        set(instrumented -O1 -fno-var-tracking) # tracking takes half of the time
        if(lanes GREATER 1)
            list(APPEND instrumented -fno-sanitize=undefined)
        endif()
        set_property(SOURCE kernels/mixed_w${lanes}.c kernels/mixed_riccati_w${lanes}.c
            APPEND PROPERTY COMPILE_OPTIONS ${instrumented})
    endforeach()
    set_property(SOURCE kernels/mixed_trunk.c kernels/mixed_trunk_riccati.c
        APPEND PROPERTY COMPILE_OPTIONS -O1 -fno-var-tracking)
endif()
