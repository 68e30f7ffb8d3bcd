# Target sinew_headers: every header compiles alone, one source file per header that holds only its #include.
# Not part of `all`; scripts/check_headers builds it.
set(header_sources)
foreach(header ${sinew_headers} ${sinew_view_headers})
  cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/src OUTPUT_VARIABLE name)
  set(source ${PROJECT_BINARY_DIR}/headers/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${name}\"  // IWYU pragma: keep\n")
  list(APPEND header_sources ${source})
endforeach()
if(header_sources)
  add_library(sinew_headers OBJECT EXCLUDE_FROM_ALL ${header_sources})
  target_link_libraries(sinew_headers PRIVATE sinew::sinew fmt::fmt tomlplusplus::tomlplusplus nlohmann_json::nlohmann_json
    sinew_hdf5 $<TARGET_NAME_IF_EXISTS:Boost::headers>)
  sinew_warnings(sinew_headers)
else()
  add_custom_target(sinew_headers)
endif()
