# Writes a header with the name of the build (Identity.cmake): compiler, digest of the flags and digest of the sources.
file(STRINGS ${list} sources)
set(digests "")
foreach(source ${sources})
    file(SHA256 ${root}/${source} digest)
    string(APPEND digests "${source} ${digest}\n")
endforeach()
string(SHA256 sources_digest "${digests}")
string(SHA256 flags_digest "${flags}")
string(SUBSTRING ${sources_digest} 0 12 sources_digest)
string(SUBSTRING ${flags_digest} 0 8 flags_digest)
file(WRITE ${output} "/* The name of this build; see cmake/Identity.cmake. */\n"
    "#define RCT_BUILD_NAME \\\n"
    "    \"${compiler}${strict}, flags ${flags_digest}, sources ${sources_digest}\"\n")
