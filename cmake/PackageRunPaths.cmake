# Removes the search paths of the programs and libraries that CPack has installed for packages. Under /usr the loader finds all
# libraries by itself.
file(GLOB_RECURSE files ${CPACK_TEMPORARY_DIRECTORY}/*)
list(FILTER files INCLUDE REGEX "/usr/bin/[^/]+$|\\.so[.0-9]*$")
foreach(file ${files})
    if(NOT IS_SYMLINK ${file})
        file(RPATH_REMOVE FILE ${file})
    endif()
endforeach()
