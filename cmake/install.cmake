# cmake --install: the library with its headers and package file, the command with its completion, the scenarios.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)

install(TARGETS sinew EXPORT sinew_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET sinew_cli)
  install(TARGETS sinew_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# The public face: sinew/sinew.h for plans and worlds, sinew/io/{scenario,run,recorder}.h for scenario files,
# sinew/record/reader.h for recordings, and what they include.
set(public_headers
  sinew/sinew.h
  sinew/math/abreast.h sinew/math/lanes.h sinew/math/linear.h sinew/math/rotation.h sinew/math/spatial.h sinew/math/trig.h
  sinew/parts/device/motion.h sinew/parts/device/servo.h sinew/parts/force/gravity.h sinew/parts/force/spring.h
  sinew/parts/shape/shape.h sinew/parts/terrain/terrain.h
  sinew/model/compile.h sinew/model/keys.h sinew/model/model.h sinew/model/params.h sinew/model/plan.h
  sinew/model/ranks.h sinew/model/readings.h sinew/model/state.h
  sinew/step/stepper.h
  sinew/control/computed_torque.h sinew/control/controller.h
  sinew/world/contacts.h sinew/world/diagnosis.h sinew/world/observe.h sinew/world/world.h
  sinew/files/errors.h sinew/record/column.h sinew/record/errors.h sinew/record/reader.h
  sinew/io/cases.h sinew/io/errors.h sinew/io/progress.h sinew/io/recorder.h sinew/io/run.h sinew/io/scenario.h
  gaits/catalog.h robots/catalog.h)
# Every joint kind and every law: a new one is installed by being there.
file(GLOB kind_headers RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS
  src/sinew/parts/joint/*.h src/sinew/parts/law/*.h)
list(APPEND public_headers ${kind_headers})
foreach(header ${public_headers})
  cmake_path(GET header PARENT_PATH folder)
  install(FILES src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/include/sinew/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sinew)
if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/scenarios)
  install(DIRECTORY scenarios/ DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew/scenarios)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/build/docs/man/sinew.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)  # scripts/build_docs
install(FILES completions/sinew.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME sinew)

install(EXPORT sinew_targets NAMESPACE sinew:: DESTINATION ${package_dir})
configure_package_config_file(cmake/sinew-config.cmake.in sinew-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(sinew-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinew-config.cmake ${PROJECT_BINARY_DIR}/sinew-config-version.cmake cmake/hdf5.cmake
  DESTINATION ${package_dir})
