# Third-party libraries, all from the distribution (tools/setup installs them on Debian).

find_package(Threads REQUIRED)
find_package(simdjson REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(SQLite3 REQUIRED)

# ISA-L ships no CMake files, and zstd's differ between distributions: look for header and library ourselves.
function(warpsight_find_library target header library)
  find_path(${library}_INCLUDE_DIR ${header})
  find_library(${library}_LIBRARY ${library})
  if(NOT ${library}_INCLUDE_DIR OR NOT ${library}_LIBRARY)
    message(FATAL_ERROR "lib${library} or its header ${header} was not found; tools/setup lists all that is needed")
  endif()
  add_library(${target} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES
    IMPORTED_LOCATION ${${library}_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${${library}_INCLUDE_DIR})
endfunction()
warpsight_find_library(warpsight::isal isa-l/igzip_lib.h isal)
warpsight_find_library(warpsight::zstd zstd.h zstd)

# Headers only.
find_path(protozero_INCLUDE_DIR protozero/pbf_reader.hpp)
if(NOT protozero_INCLUDE_DIR)
  message(FATAL_ERROR "protozero was not found; tools/setup lists all that is needed")
endif()
add_library(protozero::protozero INTERFACE IMPORTED GLOBAL)
set_target_properties(protozero::protozero PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${protozero_INCLUDE_DIR})

# Debian's is compiled, with all it can do; elsewhere it is the header alone.
find_path(httplib_INCLUDE_DIR httplib.h)
find_library(httplib_LIBRARY cpp-httplib)
if(NOT httplib_INCLUDE_DIR)
  message(FATAL_ERROR "cpp-httplib was not found; tools/setup lists all that is needed")
endif()
add_library(warpsight::httplib INTERFACE IMPORTED GLOBAL)
target_include_directories(warpsight::httplib INTERFACE ${httplib_INCLUDE_DIR})
target_link_libraries(warpsight::httplib INTERFACE Threads::Threads)
if(httplib_LIBRARY)
  # The layout of its classes depends on these.
  target_compile_definitions(warpsight::httplib INTERFACE
    CPPHTTPLIB_OPENSSL_SUPPORT CPPHTTPLIB_ZLIB_SUPPORT CPPHTTPLIB_BROTLI_SUPPORT)
  target_link_libraries(warpsight::httplib INTERFACE ${httplib_LIBRARY})
endif()

if(BUILD_TESTING)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
# Only bench/ uses it, and bench/ is not needed to build or test the program.
find_package(benchmark QUIET)
