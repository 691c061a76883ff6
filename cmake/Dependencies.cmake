# The packages that Riccatree is built on, all from Debian; scripts/install-dependencies.sh installs them. find_package looks for
# each package first, by a module of CMake or the configuration that the package installs, then pkg-config. The target is rct_NAME.
find_package(PkgConfig QUIET)

# rct_package(NAME FIND argument... TARGETS target... PKG_CONFIG module [LIBRARY library HEADER file] DEBIAN package):
# makes the interface target rct_NAME. A configuration without the targets counts as not found. If pkg-config does not know the
# package either, LIBRARY and HEADER are searched for.
function(rct_package name)
    cmake_parse_arguments(PARSE_ARGV 1 package "" "PKG_CONFIG;LIBRARY;HEADER;DEBIAN" "FIND;TARGETS")
    add_library(rct_${name} INTERFACE)
    find_package(${package_FIND} QUIET)
    list(GET package_FIND 0 module)
    if(NOT ${name}_VERSION)
        set(${name}_VERSION "${${module}_VERSION}" PARENT_SCOPE)
    endif()
    set(found ${package_TARGETS})
    foreach(target ${package_TARGETS})
        if(NOT TARGET ${target})
            set(found "")
        endif()
    endforeach()
    if(NOT found AND PKG_CONFIG_FOUND)
        pkg_check_modules(${name} QUIET IMPORTED_TARGET ${package_PKG_CONFIG})
        if(${name}_FOUND)
            set(found PkgConfig::${name})
        endif()
    endif()
    if(NOT found AND package_LIBRARY)
        find_library(${name}_library ${package_LIBRARY} HINTS ${hdf5_LIBRARY_DIRS})
        find_path(${name}_include ${package_HEADER} HINTS ${hdf5_INCLUDE_DIRS} PATH_SUFFIXES suitesparse)
        if(${name}_library AND ${name}_include)
            set(found ${${name}_library})
            target_include_directories(rct_${name} SYSTEM INTERFACE ${${name}_include})
        endif()
    endif()
    if(NOT found)
        message(FATAL_ERROR "${name} was not found, neither by find_package nor by pkg-config; install ${package_DEBIAN}, "
            "or add the prefix that has it to CMAKE_PREFIX_PATH")
    endif()
    target_link_libraries(rct_${name} INTERFACE ${found})
    message(STATUS "${name}: ${found}")
endfunction()

rct_package(hdf5 FIND HDF5 COMPONENTS C HL TARGETS hdf5::hdf5 PKG_CONFIG hdf5 DEBIAN libhdf5-dev)
rct_package(hdf5_hl FIND HDF5 COMPONENTS C HL TARGETS hdf5::hdf5_hl PKG_CONFIG hdf5_hl
    LIBRARY hdf5_hl HEADER hdf5_hl.h DEBIAN libhdf5-dev)
rct_package(zlib FIND ZLIB TARGETS ZLIB::ZLIB PKG_CONFIG zlib DEBIAN zlib1g-dev)
rct_package(libxml2 FIND LibXml2 TARGETS LibXml2::LibXml2 PKG_CONFIG libxml-2.0 DEBIAN libxml2-dev)
# SuiteSparse has configurations and pkg-config files from version 7 on; Debian 12 has version 5.
foreach(part AMD KLU LDL)
    string(TOLOWER ${part} name)
    rct_package(${name} FIND ${part} CONFIG TARGETS SuiteSparse::${part} PKG_CONFIG ${part}
        LIBRARY ${name} HEADER ${name}.h DEBIAN libsuitesparse-dev)
endforeach()
# Found by its configuration, because FindBLAS knows neither cblas.h nor LAPACKE.
rct_package(openblas FIND OpenBLAS CONFIG TARGETS OpenBLAS::OpenBLAS PKG_CONFIG openblas DEBIAN libopenblas-dev)
rct_package(lapacke FIND LAPACKE CONFIG TARGETS lapacke PKG_CONFIG lapacke DEBIAN liblapacke-dev)

find_path(random123_include Random123/philox.h REQUIRED)
find_package(Threads REQUIRED)

add_library(rct_dependencies INTERFACE)
target_link_libraries(rct_dependencies INTERFACE
    rct_hdf5_hl rct_hdf5 rct_zlib rct_klu rct_ldl rct_amd rct_libxml2 Threads::Threads ${CMAKE_DL_LIBS} m)
target_include_directories(rct_dependencies SYSTEM INTERFACE ${random123_include})

# Only the references need these packages.
add_library(rct_reference_dependencies INTERFACE)
target_link_libraries(rct_reference_dependencies INTERFACE rct_dependencies rct_lapacke rct_openblas)
