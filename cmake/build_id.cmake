# What this build is made of, as one number: the sources of the library, the compiler, its flags,
# the processor it is for. Called as: cmake -DSOURCES="a.c|b.h" -DWITH=WORDS -DOUT=build_id_value.h
# -P build_id.cmake
string(REPLACE "|" ";" sources "${SOURCES}")
set(all "${WITH}\n")
foreach(source IN LISTS sources)
    file(SHA256 ${source} digest)
    string(APPEND all "${digest}\n")
endforeach()
string(SHA256 digest "${all}")
file(WRITE ${OUT} "// Made by cmake/build_id.cmake.\n#define LIA_BUILD_ID \"${digest}\"\n")
