# The packages Riccatree is built on, all from Debian; scripts/install-dependencies.sh gets them.
find_package(PkgConfig REQUIRED)
pkg_check_modules(hdf5 REQUIRED IMPORTED_TARGET hdf5)
find_library(hdf5_hl_library hdf5_hl HINTS ${hdf5_LIBRARY_DIRS} REQUIRED)
pkg_check_modules(lapacke REQUIRED IMPORTED_TARGET lapacke)
pkg_check_modules(openblas REQUIRED IMPORTED_TARGET openblas)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET zlib)
find_library(amd_library amd REQUIRED)
find_library(klu_library klu REQUIRED)
find_library(ldl_library ldl REQUIRED)
find_path(random123_include Random123/philox.h REQUIRED)
find_path(suitesparse_include klu.h PATH_SUFFIXES suitesparse REQUIRED)

find_package(LibXml2 REQUIRED)
find_package(Threads REQUIRED)

add_library(rct_dependencies INTERFACE)
target_link_libraries(rct_dependencies INTERFACE
    ${hdf5_hl_library} PkgConfig::hdf5 PkgConfig::zlib
    ${klu_library} ${ldl_library} ${amd_library} LibXml2::LibXml2 Threads::Threads ${CMAKE_DL_LIBS} m)
target_include_directories(rct_dependencies SYSTEM INTERFACE
    ${random123_include} ${suitesparse_include})

# Of the references besides; the library does without.
add_library(rct_reference_dependencies INTERFACE)
target_link_libraries(rct_reference_dependencies INTERFACE rct_dependencies PkgConfig::lapacke PkgConfig::openblas)
