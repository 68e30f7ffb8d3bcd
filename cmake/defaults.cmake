# Flags that every target shares.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(CCACHE_PROGRAM ccache)
mark_as_advanced(CCACHE_PROGRAM)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

if(SINEW_SANITIZE)
  # Without the checks of every pointer that is read through: the address sanitizer sees wrong ones, and they double the
  # time to build.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null,alignment,object-size -fno-sanitize-recover=all
    -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
  add_compile_definitions(SINEW_SANITIZED=1)
endif()

# The processor to compile for: never the one that happens to be here, so that a program runs on the machine next door.
set(sinew_arch ${SINEW_ARCH})
if(NOT sinew_arch AND NOT CMAKE_CROSSCOMPILING)
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/processor OUTPUT_VARIABLE sinew_arch OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(sinew_arch STREQUAL "older")
    message(FATAL_ERROR "this processor is older than x86-64-v2, the oldest that sinew is made for")
  endif()
endif()
if(SINEW_ARCH AND NOT SINEW_ARCH MATCHES "^x86-64-v[23]$")
  message(WARNING "SINEW_ARCH=${SINEW_ARCH}: only x86-64-v2 and x86-64-v3 are tested to give the same numbers")
endif()

# Options that change numbers. They are PUBLIC: templates of the library are instantiated in the user's code too.
#
# A simulation must give the same bits whether a body is computed alone or in one lane of a SIMD register, so every
# operation rounds once, as written:
#   -ffp-contract=off    the compiler may not fuse a*b + c where it likes; scalar and wide code would differ
#   -fno-tree-vectorize  GCC 12 fuses in the straight-line code that its vectoriser makes, in spite of the line above;
#                        what it packs by itself is unpacked again soon and was measured slower
#   -fno-math-errno      sqrt is one instruction, no library call; the rounding is the same
#   -fno-trapping-math   selects may be vectorised: we never read floating-point exception flags
# -ffast-math and its parts that reorder, drop NaN or flush denormals are never used.
function(sinew_machine_options target)
  target_compile_options(${target} PUBLIC -ffp-contract=off -fno-math-errno -fno-trapping-math)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PUBLIC -fno-tree-vectorize)
    # How a Lanes is passed by value depends on AVX; only functions that are inlined take it so (math/lanes.h, math/four.h).
    target_compile_options(${target} PUBLIC -Wno-psabi)
    # Speed only, no bits: keep small matrices of Lanes in registers instead of copying them through memory.
    target_compile_options(${target} PRIVATE "SHELL:--param sra-max-scalarization-size-Ospeed=2048")
  else()
    target_compile_options(${target} PUBLIC -Wno-psabi)  # as above
  endif()
  if(sinew_arch)
    # For all that is built here; an installed library does not decide what its user's code is compiled for.
    target_compile_options(${target} PUBLIC $<BUILD_INTERFACE:-march=${sinew_arch}>)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
      # Speed only: GCC 12's tuning for recent processors moves doubles through integer registers.
      target_compile_options(${target} PRIVATE -mtune=generic)
    endif()
  endif()
endfunction()

# The library becomes part of shared libraries, such as the module of Python. Nobody may put functions of his own in the place of ours, so
# that calls within the library stay as fast as in a program: the linker makes them direct ones.
function(sinew_position_independent target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)
endfunction()

# What a shared library is called, and how it looks where it is used; of a static one nothing changes. Its calls of itself stay within it,
# also of what a program has compiled too, perhaps for an older processor. One minor version is one interface, as for find_package.
function(sinew_library target)
  set_target_properties(${target} PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    DEFINE_SYMBOL ""  # compiled as for a static library, so that a compiler cache knows it
    INSTALL_RPATH "$ORIGIN")
  target_link_options(${target} PRIVATE -Wl,-Bsymbolic-functions)
endfunction()

# Where an installed program looks for shared libraries of ours: relative to itself, so that the tree may be moved.
function(sinew_program target)
  if(BUILD_SHARED_LIBS)
    file(RELATIVE_PATH from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${from_bin}")
  endif()
endfunction()

function(sinew_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra $<$<BOOL:${SINEW_WERROR}>:-Werror>)
  if(SINEW_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # It takes what a unity source includes for headers, in which types without a linkage of their own would be wrong.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    # Comparisons joined by & are meant so: no branch between them.
    target_compile_options(${target} PRIVATE -Wno-bitwise-instead-of-logical)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 sees overlaps, overflows and overreads in `"text" + std::string` that are not there (GCC bugs 105329, 105651).
    # The sanitizers find the real ones.
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
  endif()
endfunction()

# A shared library that is loaded when it is first needed (files/shared_library.h): its headers, and its name as the system finds it.
function(sinew_loaded_library target macro library include_dir)
  file(REAL_PATH ${library} real)
  cmake_path(GET real FILENAME name)
  string(REGEX REPLACE "(\\.so\\.[0-9]+).*" "\\1" name ${name})
  target_include_directories(${target} SYSTEM PRIVATE ${include_dir})
  target_compile_definitions(${target} PRIVATE ${macro}="${name}")
endfunction()
