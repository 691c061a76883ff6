# Of what CPack has installed for packages: no search path of its own. Under /usr the loader finds all libraries, and a program
# there has no reason to look elsewhere.
file(GLOB_RECURSE files ${CPACK_TEMPORARY_DIRECTORY}/*)
list(FILTER files INCLUDE REGEX "/usr/bin/[^/]+$|\\.so[.0-9]*$")
foreach(file ${files})
    if(NOT IS_SYMLINK ${file})
        file(RPATH_REMOVE FILE ${file})
    endif()
endforeach()
