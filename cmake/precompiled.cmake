# sinew_precompiled(target): Eigen, two seconds of every source file, is parsed once for all targets.
# Only Eigen is precompiled: nearly every file reaches it by its own includes, so it hides no missing one.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled.cpp CONTENT "")
add_library(sinew_pch OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
target_compile_features(sinew_pch PRIVATE cxx_std_20)
target_link_libraries(sinew_pch PRIVATE Eigen3::Eigen)
target_precompile_headers(sinew_pch PRIVATE <Eigen/Core> <Eigen/Geometry>)
sinew_machine_options(sinew_pch)

function(sinew_precompiled target)
  target_precompile_headers(${target} REUSE_FROM sinew_pch)
endfunction()
