# What `cmake --install` puts under the prefix: the shared libraries, the command line, the headers,
# a CMake package (find_package(riccatree CONFIG)), riccatree.pc and riccatree_reference.pc. The installed files hold no
# absolute paths except those of folders of the linked libraries, so the tree may be moved. Files without a named component
# belong to the command line, component `program`. cmake/Package.cmake makes packages of the components. Include this file
# after all targets are defined.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/riccatree)

set_target_properties(riccatree_reference PROPERTIES EXPORT_NAME reference INSTALL_RPATH "$ORIGIN")
install(TARGETS riccatree riccatree_reference EXPORT riccatree_targets
    LIBRARY COMPONENT libraries NAMELINK_COMPONENT development)
install(FILES ${public_headers} ${reference_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/riccatree
    COMPONENT development)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The target `riccatree` is the library, so the target of the command line is riccatree_cli; its file is called
# riccatree. The command line finds the library beside itself in the build, and in the library folder of the
# prefix when installed.
if(TARGET riccatree_cli)
    file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(riccatree_cli PROPERTIES
        OUTPUT_NAME riccatree
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
        INSTALL_RPATH "$ORIGIN;$ORIGIN/${bin_to_lib}")
    install(TARGETS riccatree_cli)
endif()

# The command that was just built writes the manual page and the completion of bash. Both are left out if the command does not
# run here: in a build for another machine without an emulator.
if(TARGET riccatree_cli AND CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    message(WARNING "The manual page and the completion of bash are left out: the command that makes them does not run here; set "
        "CMAKE_CROSSCOMPILING_EMULATOR")
elseif(TARGET riccatree_cli)
    set(manual ${PROJECT_BINARY_DIR}/riccatree.1)
    set(completion ${PROJECT_BINARY_DIR}/riccatree.bash)
    add_custom_command(OUTPUT ${manual} ${completion}
        COMMAND riccatree_cli man --out ${manual} --overwrite
        COMMAND riccatree_cli completion bash --out ${completion} --overwrite
        DEPENDS riccatree_cli COMMENT "Writing the manual page and the completion of bash" VERBATIM)
    add_custom_target(riccatree_manual ALL DEPENDS ${manual} ${completion})
    install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME riccatree)
endif()

# The search path is the same in the build and under the prefix. If they differed, CMake would pad the first one with empty
# elements to overwrite it at installation, and an empty element means the folder in which a program is started.
foreach(target riccatree riccatree_reference riccatree_cli riccatree_arpack riccatree_cuda riccatree_mpi)
    if(TARGET ${target})
        set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)
    endif()
endforeach()

install(EXPORT riccatree_targets NAMESPACE riccatree:: DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(cmake/riccatree-config.cmake.in riccatree-config.cmake
    INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(riccatree-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    ${PROJECT_BINARY_DIR}/riccatree-config.cmake
    ${PROJECT_BINARY_DIR}/riccatree-config-version.cmake
    DESTINATION ${package_dir} COMPONENT development)

set(pc_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_to_prefix ${pc_dir} ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH pc_to_lib ${pc_dir} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH pc_to_include ${pc_dir} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
foreach(package riccatree riccatree_reference)
    configure_file(cmake/${package}.pc.in ${package}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT development)
endforeach()
