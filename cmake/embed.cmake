# Files as a C table: cmake -DFILES="a;b" -DNAMES="x;y" -DTABLE=lia_pages -DOUT=pages.c -P
# embed.cmake
#
#   const LiaPage lia_pages[] = {{"x", "folder of a", <the bytes of a and a NUL>}, {"y", ...}};
#   const size_t lia_pages_count = 2;
string(REPLACE "|" ";" FILES "${FILES}")
set(arrays "")
set(rows "")
set(i 0)
foreach(file IN LISTS FILES)
    get_filename_component(name "${file}" NAME_WE)
    get_filename_component(folder "${file}" DIRECTORY)
    get_filename_component(folder "${folder}" NAME)
    file(READ "${file}" bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
    string(APPEND arrays "static const char text_${i}[] = {\n${bytes}0};\n")
    string(APPEND rows "    {\"${name}\", \"${folder}\", text_${i}},\n")
    math(EXPR i "${i} + 1")
endforeach()
file(WRITE "${OUT}.new" "// Made by cmake/embed.cmake.
#include \"cli/help/pages.h\"
${arrays}
const LiaPage ${TABLE}[] = {
${rows}    {0, 0, 0}};
const size_t ${TABLE}_count = ${i};
")
file(COPY_FILE "${OUT}.new" "${OUT}" ONLY_IF_DIFFERENT)
file(REMOVE "${OUT}.new")
