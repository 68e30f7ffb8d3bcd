# Target sinew_python: the module `sinew` of Python, in build/PRESET/python/sinew/, with links to the Python files of python/sinew/ beside
# it. Debian's own Python is asked for its headers, not one that shadows it on the PATH: its numpy is the one that is there. Without
# python3-dev, python3-numpy and pybind11-dev (scripts/setup python) the module is left out.
set(SINEW_DEBIAN_PYTHON /usr/bin/python3)
find_path(SINEW_PYBIND11_INCLUDE_DIR pybind11/pybind11.h PATHS /usr/include)
mark_as_advanced(SINEW_PYBIND11_INCLUDE_DIR)
set(python_found)
if(SINEW_PYBIND11_INCLUDE_DIR AND EXISTS ${SINEW_DEBIAN_PYTHON})
  execute_process(
    COMMAND ${SINEW_DEBIAN_PYTHON} -c
      "import sysconfig; print(sysconfig.get_path('include') + ';' + sysconfig.get_config_var('EXT_SUFFIX'))"
    OUTPUT_VARIABLE python_found OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(GET python_found 0 python_include)
  list(GET python_found 1 python_suffix)
endif()
if(NOT python_found OR NOT EXISTS ${python_include}/Python.h)
  message(STATUS "pybind11 or the headers of Debian's Python not found: the module is left out (scripts/setup python)")
  return()
endif()

file(GLOB sinew_python_sources CONFIGURE_DEPENDS src/python/*.cpp)
sinew_sources(module ${PROJECT_SOURCE_DIR}/src ${sinew_python_sources})
add_library(sinew_python MODULE ${module})
set(python_package ${PROJECT_BINARY_DIR}/python/sinew)
set_target_properties(sinew_python PROPERTIES
  OUTPUT_NAME _core PREFIX "" SUFFIX ${python_suffix} LIBRARY_OUTPUT_DIRECTORY ${python_package}
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
  INSTALL_RPATH "$<$<BOOL:${BUILD_SHARED_LIBS}>:$ORIGIN>")  # of a wheel, which has the library beside it
target_include_directories(sinew_python SYSTEM PRIVATE ${python_include} ${SINEW_PYBIND11_INCLUDE_DIR})
target_link_libraries(sinew_python PRIVATE sinew::sinew fmt::fmt)
# Nothing of ours is seen from outside, so that two modules that hold a sinew each do not meet.
target_link_options(sinew_python PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic)
target_compile_options(sinew_python PRIVATE -O1)  # pybind11 takes long to compile; what counts is in the library
sinew_warnings(sinew_python)

file(GLOB sinew_python_files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/python/sinew
  python/sinew/*.py python/sinew/*.pyi python/sinew/py.typed)
file(MAKE_DIRECTORY ${python_package})
foreach(file ${sinew_python_files})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/python/sinew/${file} ${python_package}/${file} SYMBOLIC)
endforeach()
# Where scenarios and the page of the view are, for a module that runs in the tree it was built in.
file(CONFIGURE OUTPUT ${python_package}/_tree.py CONTENT "SOURCE = \"@PROJECT_SOURCE_DIR@\"\nBUILD = \"@PROJECT_BINARY_DIR@\"\n" @ONLY)
