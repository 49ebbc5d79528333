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

file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/man/*.1)
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
