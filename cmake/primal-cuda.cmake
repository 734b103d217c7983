# The target primal::cuda for .cu files: primal::primal, cuBLAS, and what nvcc must be told. The
# project that links it enables the language CUDA itself.

if(NOT DEFINED PRIMAL_CUDA)
  set(PRIMAL_CUDA AUTO)
endif()
set(PRIMAL_CUDA_FOUND FALSE)

if(PRIMAL_CUDA AND NOT TARGET primal::cuda)
  if(_primal_global)
    set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)  # see primal-dependencies.cmake
  endif()
  find_package(CUDAToolkit QUIET)
  if(_primal_global)
    set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL "${_primal_targets_global_before}")
  endif()

  if(TARGET CUDA::cublas)
    add_library(primal::cuda INTERFACE IMPORTED ${_primal_global})
    target_link_libraries(primal::cuda INTERFACE primal::primal CUDA::cublas CUDA::cublasLt)

    set(_nvcc_options "")
    # CMake 3.25 does not know yet that nvcc has C++20.
    if(CMAKE_VERSION VERSION_LESS 3.26)
      list(APPEND _nvcc_options -std=c++20)
    else()
      target_compile_features(primal::cuda INTERFACE cuda_std_20)
    endif()

    # The limits of primal-library.cmake, twice: nvcc's front end evaluates every constant (and
    # stops near 10,000 statements), and then its host compiler does so again, which need not be the
    # one for C++ files.
    list(APPEND _nvcc_options -ftemplate-depth=4096 -Xcompiler=-fconstexpr-depth=8192
         "SHELL:-Xcudafe --max_cost_constexpr_call=2000000000"
         "SHELL:-Xcudafe --max_depth_constexpr_call=8192")
    if("${CMAKE_CUDA_SIMULATE_ID} ${CMAKE_CUDA_HOST_COMPILER} $ENV{CUDAHOSTCXX}" MATCHES "[Cc]lang")
      list(APPEND _nvcc_options -Xcompiler=-fconstexpr-steps=1000000000,-fbracket-depth=4096)
    else()
      list(APPEND _nvcc_options
           -Xcompiler=-fconstexpr-ops-limit=2000000000,-fconstexpr-loop-limit=100000000)
    endif()
    target_compile_options(
      primal::cuda INTERFACE "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:${_nvcc_options}>")
    unset(_nvcc_options)
  elseif(_primal_global AND NOT PRIMAL_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "PRIMAL_CUDA=${PRIMAL_CUDA}, but no CUDA toolkit with cuBLAS was found")
  endif()
endif()

if(TARGET primal::cuda)
  set(PRIMAL_CUDA_FOUND TRUE)
endif()
