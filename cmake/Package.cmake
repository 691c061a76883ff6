# Debian packages by CPack, in the usual parts: the libraries, what programs are built with, the command line, and a plugin each
# for ranks and for GPUs, which nobody needs to have. dpkg-shlibdeps finds what they depend on. scripts/package.sh makes them.
# Included after everything is installed. The wheel, component `python`, is no part of them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The Riccatree authors")
set(CPACK_PACKAGE_CONTACT "The Riccatree authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "dynamics of huge rigid multibody chains and trees")
set(CPACK_PACKAGE_DESCRIPTION "Riccatree computes the motion of chains and trees of rigid bodies, up to millions of degrees of freedom, \
with closed loops, in time proportional to the number of bodies.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON) # and the call of ldconfig
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/PackageRunPaths.cmake)

# The licence in the form of Debian, for every package.
file(READ LICENSE licence)
string(STRIP "${licence}" licence)
string(REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REGEX REPLACE "\n" "\n " licence "${licence}")
configure_file(cmake/copyright.in copyright @ONLY)

# rct_deb(COMPONENT PACKAGE DEPENDS DESCRIPTION): a package of what is installed as that component.
function(rct_deb component package depends description)
    string(TOUPPER ${component} name)
    install(FILES ${PROJECT_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
        COMPONENT ${component} EXCLUDE_FROM_ALL)
    set(CPACK_DEBIAN_${name}_PACKAGE_NAME ${package} PARENT_SCOPE)
    set(CPACK_DEBIAN_${name}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
    set(CPACK_COMPONENT_${name}_DESCRIPTION "${description}" PARENT_SCOPE)
    set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
endfunction()

set(library libriccatree${version_MAJOR})
set(same "${library} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
rct_deb(libraries ${library} "" "The libraries riccatree and riccatree_reference.")
rct_deb(development libriccatree-dev "${same}" "Headers, and files for CMake and pkg-config.")
rct_deb(program riccatree "${same}" "The command line.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_SECTION libs)
if(TARGET riccatree_mpi)
    rct_deb(mpi libriccatree-mpi "${same}" "The plugin for ensembles shared by processes that mpirun starts.")
    set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS libriccatree-mpi)
endif()
if(TARGET riccatree_cuda)
    rct_deb(cuda libriccatree-cuda "${same}" "The plugin for GPUs of NVIDIA, whose driver it opens.")
endif()
include(CPack)
