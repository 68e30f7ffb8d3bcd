# Target sinew_hdf5: HDF5's serial C library. Not by CMake's FindHDF5, which needs a C compiler and brings in all that HDF5
# itself was linked with.
if(NOT TARGET sinew_hdf5)
  find_path(SINEW_HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial REQUIRED)
  find_library(SINEW_HDF5_LIBRARY NAMES hdf5_serial hdf5 REQUIRED)
  mark_as_advanced(SINEW_HDF5_INCLUDE_DIR SINEW_HDF5_LIBRARY)
  add_library(sinew_hdf5 UNKNOWN IMPORTED)
  set_target_properties(sinew_hdf5 PROPERTIES
    IMPORTED_LOCATION ${SINEW_HDF5_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${SINEW_HDF5_INCLUDE_DIR})
endif()
