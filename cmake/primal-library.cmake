# The target primal::primal: the headers, C++20, and the limits that compilers put on constant
# evaluation and memory.

add_library(primal INTERFACE)
add_library(primal::primal ALIAS primal)

target_compile_features(primal INTERFACE cxx_std_20)
target_include_directories(primal INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_link_libraries(primal INTERFACE primal::dependencies)

# A model is recorded and differentiated while it compiles, which takes more constant evaluation
# than compilers allow by default: clang stops near 50 statements, g++ later. The limits are
# high, but finite: a model that never ends still becomes an error within minutes. nvcc knows none
# of these options, and has its own in primal-cuda.cmake.
set(_gcc_limits -fconstexpr-ops-limit=2000000000 -fconstexpr-loop-limit=100000000
                -fconstexpr-depth=8192 -ftemplate-depth=4096)
# g++ looks for memory to free whenever it has taken 128 MB more. After 512 MB at first: large models
# compile in 0.84 of the time, with up to 450 MB more.
set(_gcc_memory --param=ggc-min-heapsize=524288)
set(_clang_limits -fconstexpr-steps=1000000000 -fconstexpr-depth=8192 -ftemplate-depth=4096
                  -fbracket-depth=4096)

# g++ fuses a * b + c by default, clang only within one source expression. The accuracy and speed
# that the documentation states are those of fused code.
set(_clang_fusing -ffp-contract=fast)

target_compile_options(
  primal
  INTERFACE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:${_gcc_limits};${_gcc_memory}>"
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:${_clang_limits};${_clang_fusing}>")

unset(_gcc_limits)
unset(_gcc_memory)
unset(_clang_limits)
unset(_clang_fusing)
