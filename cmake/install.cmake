# What `make install` brings: program, libraries, headers, pkg-config and CMake files, man pages.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/liaison)

if(TARGET liaison)
    install(TARGETS liaison RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET liaison_static)
    install(TARGETS liaison_static liaison_shared EXPORT liaisonTargets
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT liaisonTargets NAMESPACE liaison:: DESTINATION ${package_dir})
    configure_package_config_file(cmake/liaisonConfig.cmake.in ${CMAKE_BINARY_DIR}/liaisonConfig.cmake
                                  INSTALL_DESTINATION ${package_dir})
    write_basic_package_version_file(${CMAKE_BINARY_DIR}/liaisonConfigVersion.cmake
                                     COMPATIBILITY SameMinorVersion)
    install(FILES ${CMAKE_BINARY_DIR}/liaisonConfig.cmake ${CMAKE_BINARY_DIR}/liaisonConfigVersion.cmake
            DESTINATION ${package_dir})
endif()
install(DIRECTORY include/liaison DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def")

# The prefix is found from the place of the file itself, so that the tree may be moved.
file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" LIAISON_UP "${up}")
configure_file(cmake/liaison.pc.in ${CMAKE_BINARY_DIR}/liaison.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/liaison.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Manual pages and completions are what the program itself says; for another kind of machine it
# cannot be asked.
if(TARGET liaison AND NOT CMAKE_CROSSCOMPILING)
    set(said ${CMAKE_BINARY_DIR}/said)
    file(MAKE_DIRECTORY ${said})
    set(said_files)
    function(liaison_says file destination)
        add_custom_command(OUTPUT ${said}/${file} COMMAND liaison ${ARGN} > ${said}/${file} DEPENDS liaison VERBATIM)
        set(said_files ${said_files} ${said}/${file} PARENT_SCOPE)
        install(FILES ${said}/${file} DESTINATION ${destination})
    endfunction()
    liaison_says(liaison.1 ${CMAKE_INSTALL_MANDIR}/man1 help commands --man)
    liaison_says(liaison-model.5 ${CMAKE_INSTALL_MANDIR}/man5 help language --man)
    liaison_says(liaison-errors.7 ${CMAKE_INSTALL_MANDIR}/man7 help errors --man)
    liaison_says(liaison-modelling.7 ${CMAKE_INSTALL_MANDIR}/man7 help modelling --man)
    liaison_says(liaison ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completion bash)
    liaison_says(_liaison ${CMAKE_INSTALL_DATADIR}/zsh/site-functions completion zsh)
    liaison_says(liaison.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completion fish)
    add_custom_target(liaison_said ALL DEPENDS ${said_files})
endif()
install(DIRECTORY editors/vim/ DESTINATION ${CMAKE_INSTALL_DATADIR}/vim/vimfiles)
install(DIRECTORY editors/vscode/ DESTINATION ${CMAKE_INSTALL_DATADIR}/liaison/vscode)
