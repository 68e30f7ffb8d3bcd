# Tests of Python's module under the sanitizers. Python itself has none: their library is loaded before it, and libstdc++ beside it, whose
# exceptions they watch. Programs that tests start have the sanitizers inside and must not get them twice. What Python never gives back is no
# concern of ours, so leaks are not looked for.
if(NOT TARGET sinew_python)
  return()
endif()
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so
  OUTPUT_VARIABLE sanitizers OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT EXISTS ${sanitizers})
  message(STATUS "${sanitizers} not found: Python's module is not tested under the sanitizers")
  return()
endif()
set(plain ${PROJECT_BINARY_DIR}/plain/sinew)
file(CONFIGURE OUTPUT ${plain} CONTENT "#!/bin/sh\nunset LD_PRELOAD\nexec \"${PROJECT_BINARY_DIR}/sinew\" \"$@\"\n" @ONLY)
file(CHMOD ${plain} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
foreach(part world batch scenario recording gym study)
  set(name python/${part}_test.py)
  add_test(NAME ${name} COMMAND ${SINEW_PYTHON} tests/${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS "fast;python" TIMEOUT ${patience} ENVIRONMENT
    "SINEW=${plain};PYTHONPATH=${PROJECT_BINARY_DIR}/python;PYTHONDONTWRITEBYTECODE=1;SINEW_SANITIZED=1;LD_PRELOAD=${sanitizers} libstdc++.so.6;ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1")
endforeach()
