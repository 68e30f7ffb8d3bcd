# Target sinew_fmu: sinew-fmu.so, the library in the FMUs that sinew export --fmu writes. It holds the core and what reads a scenario that is
# complete, and needs nothing where it runs but libc and libstdc++: fmt is compiled into it, toml++ is headers. Of its names only those of FMI
# are seen, so that several FMUs do not meet in one program. ./sinew builds it when an FMU is first wanted.
file(GLOB sinew_fmu_sources CONFIGURE_DEPENDS src/fmu/*.cpp)
set(sinew_fmu_parts)
foreach(part bridge/crc bridge/layout fmi/packed fmi/resources fmi/variables text/arithmetic text/document text/load_meshes text/load_policy
    text/load_tables text/read_keys text/renamed_keys)
  list(APPEND sinew_fmu_parts ${PROJECT_SOURCE_DIR}/src/sinew/${part}.cpp)
endforeach()
sinew_sources(fmu ${PROJECT_SOURCE_DIR}/src ${sinew_fmu_sources} ${sinew_fmu_parts})
add_library(sinew_fmu MODULE ${fmu} $<TARGET_OBJECTS:sinew_core> $<TARGET_OBJECTS:sinew_cold>)
set_target_properties(sinew_fmu PROPERTIES
  OUTPUT_NAME sinew-fmu PREFIX "" SUFFIX ".so" LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/fmu.map)
# Not target_link_libraries: with the core would come the libraries that a program gets.
target_compile_features(sinew_fmu PRIVATE cxx_std_20)
target_include_directories(sinew_fmu PRIVATE $<TARGET_PROPERTY:sinew_core,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_options(sinew_fmu PRIVATE $<TARGET_PROPERTY:sinew_core,INTERFACE_COMPILE_OPTIONS> -O1)
target_link_options(sinew_fmu PRIVATE
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/fmu.map -Wl,-Bsymbolic
  $<$<NOT:$<BOOL:${SINEW_SANITIZE}>>:-Wl,--no-undefined> $<$<CONFIG:Release>:-Wl,-s>)
sinew_position_independent(sinew_fmu)
sinew_warnings(sinew_fmu)
