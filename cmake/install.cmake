# cmake --install: the library with its headers and package file, the commands with their completion, the scenarios.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)

install(TARGETS sinew sinew_core EXPORT sinew_targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(TARGETS sinew_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET sinew_view_program)
  install(TARGETS sinew_view_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)  # where it was built
endif()
install(TARGETS sinew_fmu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/sinew OPTIONAL)  # where it was built
if(TARGET sinew_python)
  # `cmake --install BUILD --component python --prefix FOLDER`: the module's library, in this folder; scripts/package puts the rest around it
  install(TARGETS sinew_python LIBRARY DESTINATION . COMPONENT python EXCLUDE_FROM_ALL)
endif()
install(CODE "set(source_dir \"${PROJECT_SOURCE_DIR}\")\nset(include_dir \"${CMAKE_INSTALL_INCLUDEDIR}\")")
install(SCRIPT cmake/install_headers.cmake)
install(FILES ${PROJECT_BINARY_DIR}/include/sinew/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sinew)
install(DIRECTORY templates/ DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew/templates)
if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/scenarios)
  install(DIRECTORY scenarios/ DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew/scenarios)
endif()
# scripts/build_viewer makes the page
install(FILES viewer/dist/index.html DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew/viewer OPTIONAL)
install(DIRECTORY viewer/pictures DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew/viewer OPTIONAL FILES_MATCHING PATTERN *.webp)
install(FILES ${PROJECT_SOURCE_DIR}/build/docs/man/sinew.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)  # scripts/build_docs
install(FILES completions/sinew.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME sinew)

install(EXPORT sinew_targets NAMESPACE sinew:: DESTINATION ${package_dir})
configure_package_config_file(cmake/sinew-config.cmake.in sinew-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(sinew-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinew-config.cmake ${PROJECT_BINARY_DIR}/sinew-config-version.cmake
  DESTINATION ${package_dir})
