# How this repository's own code (tests, examples, benchmarks) is compiled. Nothing here reaches a
# consumer.

# C++20 comes with primal::primal. CMAKE_CXX_STANDARD would also ask for CUDA's C++20, which CMake
# 3.25 does not know.
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

set(PRIMAL_ARCH native CACHE STRING "-march of tests, examples and benchmarks, or empty")
option(PRIMAL_WERROR "Warnings in the tests are errors" ON)

if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
   OR (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 17))
  message(WARNING "primal is tested with g++ 12 and clang 19, or later; this is "
                  "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
endif()

# Warnings are for the host compiler alone: nvcc rejects -Wall, and its own front end checks .cu
# files.
add_library(primal_warnings INTERFACE)
set(warnings -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
target_compile_options(primal_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>")

# The optimiser of g++ guesses at run-time errors, differently in every version and often wrongly.
# Such guesses are printed, but a newer compiler on a reader's machine must not fail a test with
# one.
add_library(primal_strict INTERFACE)
target_link_libraries(primal_strict INTERFACE primal_warnings)
if(PRIMAL_WERROR)
  set(guesses maybe-uninitialized array-bounds stringop-overflow stringop-overread
              aggressive-loop-optimizations)
  list(TRANSFORM guesses PREPEND -Wno-error=)
  target_compile_options(primal_strict INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Werror>"
                                                 "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:${guesses}>")
endif()

add_library(primal_arch INTERFACE)
if(PRIMAL_ARCH)
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-march=${PRIMAL_ARCH} PRIMAL_HAS_ARCH_${PRIMAL_ARCH})
  if(PRIMAL_HAS_ARCH_${PRIMAL_ARCH})
    # (A target may ask for another one.)
    set(own_arch "$<TARGET_PROPERTY:PRIMAL_OWN_ARCH>")
    set(arch "$<IF:$<BOOL:${own_arch}>,${own_arch},${PRIMAL_ARCH}>")
    target_compile_options(primal_arch INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-march=${arch}>")
    # What clang 19 finds on processors with AVX10 it warns of itself.
    check_cxx_compiler_flag(-Winvalid-feature-combination PRIMAL_HAS_FEATURE_WARNING)
    if(PRIMAL_HAS_FEATURE_WARNING)
      target_compile_options(
        primal_arch INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Wno-invalid-feature-combination>")
    endif()
  endif()
endif()

# CUDA is a language of this build where there is an nvcc that compiles. A machine with a driver
# compiles for its own GPU; one without makes code for sm_80, which later GPUs translate when they
# load it.
set(PRIMAL_DEVELOPMENT_CUDA OFF)
set(PRIMAL_GPU OFF CACHE INTERNAL "A GPU was found")
if(PRIMAL_CUDA_FOUND)
  execute_process(COMMAND nvidia-smi -L OUTPUT_VARIABLE gpus ERROR_QUIET RESULT_VARIABLE no_driver)
  if(no_driver EQUAL 0 AND gpus MATCHES "GPU 0")
    set(PRIMAL_GPU ON CACHE INTERNAL "")
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80)
    if(PRIMAL_GPU)
      set(CMAKE_CUDA_ARCHITECTURES native)
    endif()
  endif()
  if(NOT DEFINED ENV{CUDACXX})
    set(ENV{CUDACXX} ${CUDAToolkit_NVCC_EXECUTABLE})  # often not in the PATH
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    set(PRIMAL_DEVELOPMENT_CUDA ON)
  elseif(NOT PRIMAL_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "PRIMAL_CUDA=${PRIMAL_CUDA}, but nvcc does not work with this host compiler")
  endif()
endif()
if(NOT PRIMAL_DEVELOPMENT_CUDA)
  message(STATUS "primal: no CUDA toolkit, every .cu file is skipped")
elseif(NOT PRIMAL_GPU)
  message(STATUS "primal: no GPU, .cu files are compiled and not run")
endif()
