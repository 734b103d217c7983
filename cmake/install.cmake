# `cmake --install`: the headers and a package for find_package(primal). Nothing is compiled, so one
# installed tree serves every compiler and architecture.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(_package_dir ${CMAKE_INSTALL_DATADIR}/cmake/primal)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/primal DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/primal)

install(TARGETS primal EXPORT primal-targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT primal-targets NAMESPACE primal:: DESTINATION ${_package_dir})

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/primal-config.cmake.in ${PROJECT_BINARY_DIR}/primal-config.cmake
  INSTALL_DESTINATION ${_package_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/primal-config-version.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(
  FILES ${PROJECT_BINARY_DIR}/primal-config.cmake
        ${PROJECT_BINARY_DIR}/primal-config-version.cmake
        ${PROJECT_SOURCE_DIR}/cmake/primal-dependencies.cmake
        ${PROJECT_SOURCE_DIR}/cmake/primal-cuda.cmake
  DESTINATION ${_package_dir})
unset(_package_dir)
