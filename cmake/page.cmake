# The page of a motion: bundled from web/ with npm where there is npm, and compiled into the program
# (not into the library). Without it `view` and `-o OUT.html` say what is missing.
option(LIAISON_PAGE "Bundle the page of a motion, which needs node and npm" ON)
set(LIAISON_WEB_DIR "${CMAKE_BINARY_DIR}/web" CACHE PATH "Where npm packages and the bundled page go")
find_program(LIAISON_NODE NAMES node nodejs)
find_program(LIAISON_NPM npm)
if(LIAISON_PAGE AND LIAISON_NODE AND LIAISON_NPM)
    set(LIAISON_PAGE_SOURCE ${LIAISON_WEB_DIR}/page.c)
    file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
    add_custom_command(OUTPUT ${LIAISON_PAGE_SOURCE}
        COMMAND ${PROJECT_SOURCE_DIR}/web/build.sh ${LIAISON_WEB_DIR}
        DEPENDS ${web_sources} ${PROJECT_SOURCE_DIR}/web/build.sh ${PROJECT_SOURCE_DIR}/web/build.mjs
                ${PROJECT_SOURCE_DIR}/web/package-lock.json VERBATIM)
else()
    set(LIAISON_PAGE_SOURCE ${CMAKE_BINARY_DIR}/page.c)
    if(NOT LIAISON_PAGE)
        set(reason "it was built with LIAISON_PAGE=OFF")
    elseif(NOT LIAISON_NODE)
        set(reason "node was not there when it was built (Debian: apt-get install nodejs npm)")
    else()
        set(reason "npm was not there when it was built (Debian: apt-get install npm)")
    endif()
    file(CONFIGURE OUTPUT ${LIAISON_PAGE_SOURCE} @ONLY CONTENT "#include \"cli/terminal/page.h\"
const char lia_page_template[] = \"\";
const size_t lia_page_length = 0;
const char lia_page_missing[] = \"@reason@\";
")
endif()
