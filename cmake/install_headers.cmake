# At install time: the public headers and all that they include, so that no list can forget one.
cmake_minimum_required(VERSION 3.25)
set(waiting
  sinew/sinew.h                                            # plans and worlds
  sinew/sim/simulation.h sinew/sim/run.h sinew/sim/errors.h   # experiments that run
  sinew/text/load_scenario.h sinew/report/recorder.h sinew/files/errors.h   # scenario files
  sinew/record/reader.h                                    # recordings
  sinew/control/legs/support.h                                   # forces of the feet of legged robots
  gaits/catalog.h robots/catalog.h)
file(GLOB kinds RELATIVE ${source_dir}/src ${source_dir}/src/sinew/parts/joint/*.h ${source_dir}/src/sinew/parts/law/*.h)
list(APPEND waiting ${kinds})
set(found)
while(waiting)
  list(POP_FRONT waiting header)
  if(header IN_LIST found OR NOT EXISTS ${source_dir}/src/${header})  # made by the build: sinew/version.h
    continue()
  endif()
  list(APPEND found ${header})
  file(STRINGS ${source_dir}/src/${header} lines REGEX "^#include \"")
  foreach(line ${lines})
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included ${line})
    list(APPEND waiting ${included})
  endforeach()
endwhile()
foreach(header ${found})
  cmake_path(GET header PARENT_PATH folder)
  file(INSTALL ${source_dir}/src/${header} DESTINATION ${CMAKE_INSTALL_PREFIX}/${include_dir}/${folder})
endforeach()
