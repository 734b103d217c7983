# Finds what the headers include and defines primal::dependencies, which carries all of it. Included
# by a build of this repository and by the installed package, so that every consumer finds its own
# BLAS and its own xtensor.
#
# A target can be linked only where it is visible. When this file is read inside a subdirectory of
# somebody's project, imported targets must therefore be global; in an installed package they belong
# to the caller.

if(CMAKE_FIND_PACKAGE_NAME STREQUAL "primal")
  set(_primal_global "")
else()
  set(_primal_global GLOBAL)
  set(_primal_targets_global_before "${CMAKE_FIND_PACKAGE_TARGETS_GLOBAL}")
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
endif()

if(NOT TARGET primal::dependencies)
  add_library(primal::dependencies INTERFACE IMPORTED ${_primal_global})
endif()
set(_primal_not_found "")

# primal_use_headers(<name> PACKAGE <package> TARGETS <target>... HEADERS <file>... APT <package>)
#
# Links the first target that exists once find_package has looked; without one, searches for any of
# the headers.
function(primal_use_headers name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PACKAGE;APT" "TARGETS;HEADERS")
  find_package(${arg_PACKAGE} CONFIG QUIET)
  foreach(target IN LISTS arg_TARGETS)
    if(TARGET ${target})
      target_link_libraries(primal::dependencies INTERFACE ${target})
      set(${arg_PACKAGE}_VERSION "${${arg_PACKAGE}_VERSION}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  string(TOUPPER "PRIMAL_${name}_INCLUDE_DIR" directory)
  find_path(${directory} NAMES ${arg_HEADERS} DOC "Where the headers of ${name} are")
  mark_as_advanced(${directory})
  if(${directory})
    target_include_directories(primal::dependencies INTERFACE "${${directory}}")
  else()
    list(GET arg_HEADERS 0 header)
    list(APPEND _primal_not_found "${name}: no <${header}> (Debian, Ubuntu: ${arg_APT})")
    set(_primal_not_found "${_primal_not_found}" PARENT_SCOPE)
  endif()
endfunction()

primal_use_headers(xtensor PACKAGE xtensor TARGETS xtensor xtensor::xtensor APT libxtensor-dev
                   HEADERS xtensor/xtensor.hpp xtensor/containers/xtensor.hpp)
primal_use_headers(xsimd PACKAGE xsimd TARGETS xsimd xsimd::xsimd APT libxsimd-dev
                   HEADERS xsimd/xsimd.hpp)
primal_use_headers(Boost.Hana PACKAGE Boost TARGETS Boost::hana Boost::headers APT libboost-dev
                   HEADERS boost/hana.hpp)

# xtensor before 0.25 has partial specialisations that clang 19 finds ambiguous under the relaxed
# rules for template template arguments. The option that turns those off is itself deprecated, and
# says so unless told not to.
if(NOT DEFINED xtensor_VERSION OR xtensor_VERSION VERSION_LESS 0.25)
  set(_clang_19
      $<AND:$<COMPILE_LANG_AND_ID:CXX,Clang>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,19>>)
  target_compile_options(
    primal::dependencies
    INTERFACE $<${_clang_19}:-fno-relaxed-template-template-args>
              $<${_clang_19}:-Wno-deprecated-no-relaxed-template-template-args>)
  unset(_clang_19)
endif()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads QUIET)
if(TARGET Threads::Threads)
  target_link_libraries(primal::dependencies INTERFACE Threads::Threads)
endif()

# CBLAS: a header and one library that has the functions. OpenBLAS, BLIS and the reference build
# differ only in name; another one is named by setting the two cache variables.
if(NOT DEFINED PRIMAL_BLAS)
  set(PRIMAL_BLAS AUTO)
endif()
set(PRIMAL_BLAS_FOUND FALSE)
if(PRIMAL_BLAS)
  find_path(PRIMAL_CBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas openblas-pthread blis
            DOC "Where cblas.h is")
  find_library(PRIMAL_CBLAS_LIBRARY NAMES openblas blis mkl_rt cblas blas
               DOC "The library with the CBLAS functions")
  mark_as_advanced(PRIMAL_CBLAS_INCLUDE_DIR PRIMAL_CBLAS_LIBRARY)
  if(PRIMAL_CBLAS_INCLUDE_DIR AND PRIMAL_CBLAS_LIBRARY)
    include(CheckCXXSourceCompiles)
    include(CMakePushCheckState)
    cmake_push_check_state(RESET)
    set(CMAKE_REQUIRED_INCLUDES "${PRIMAL_CBLAS_INCLUDE_DIR}")
    set(CMAKE_REQUIRED_LIBRARIES "${PRIMAL_CBLAS_LIBRARY}")
    set(CMAKE_REQUIRED_QUIET TRUE)
    check_cxx_source_compiles(
      "#include <cblas.h>
       int main() { float x[1] = {1}; return cblas_sdot(1, x, 1, x, 1) == 1 ? 0 : 1; }"
      PRIMAL_CBLAS_LINKS)
    cmake_pop_check_state()
    set(PRIMAL_BLAS_FOUND ${PRIMAL_CBLAS_LINKS})
  endif()
  if(PRIMAL_BLAS_FOUND)
    target_include_directories(primal::dependencies INTERFACE "${PRIMAL_CBLAS_INCLUDE_DIR}")
    target_link_libraries(primal::dependencies INTERFACE "${PRIMAL_CBLAS_LIBRARY}")
    target_compile_definitions(primal::dependencies INTERFACE PRIMAL_USE_CBLAS)
  elseif(NOT PRIMAL_BLAS STREQUAL "AUTO")
    list(APPEND _primal_not_found
         "PRIMAL_BLAS=${PRIMAL_BLAS}: no CBLAS that links (Debian, Ubuntu: libopenblas-dev)")
  endif()
endif()

if(NOT DEFINED PRIMAL_OPENMP)
  set(PRIMAL_OPENMP AUTO)
endif()
if(PRIMAL_OPENMP)
  find_package(OpenMP QUIET COMPONENTS CXX)
  if(TARGET OpenMP::OpenMP_CXX)
    target_link_libraries(primal::dependencies INTERFACE OpenMP::OpenMP_CXX)
  elseif(NOT PRIMAL_OPENMP STREQUAL "AUTO")
    list(APPEND _primal_not_found "PRIMAL_OPENMP=${PRIMAL_OPENMP}: the compiler has no OpenMP")
  endif()
endif()

if(_primal_global)
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL "${_primal_targets_global_before}")
  if(_primal_not_found)
    list(JOIN _primal_not_found "\n  " _primal_not_found)
    message(FATAL_ERROR "primal needs what was not found:\n  ${_primal_not_found}")
  endif()
  if(PROJECT_IS_TOP_LEVEL)
    if(PRIMAL_BLAS_FOUND)
      message(STATUS "primal: matrix products through ${PRIMAL_CBLAS_LIBRARY}")
    else()
      message(STATUS "primal: no CBLAS, matrix products through primal's own loops")
    endif()
  endif()
endif()
