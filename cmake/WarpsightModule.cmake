# warpsight_module(NAME [DEPENDS target...] [TEST_DEPENDS target...])
#
# Makes the static library warpsight_NAME of the .cc files of the calling folder and its subfolders, without main.cc and
# *_test.cc, and one GoogleTest program NAME_test of the *_test.cc files. A module that has no sources (yet) becomes an
# interface library, so that dependents need not know. TEST_DEPENDS are libraries that only the tests use.
#
# The DEPENDS lists state the layering for the linker; tools/check-layering checks the includes themselves.

set(WARPSIGHT_TEST_DIR ${PROJECT_BINARY_DIR}/bin)

function(warpsight_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;TEST_DEPENDS;SOURCES")
  set(library warpsight_${name})

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cc)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cc$")
  list(APPEND sources ${arg_SOURCES})

  if(sources)
    add_library(${library} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(${library} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${library} ${scope} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${library} ${scope} ${arg_DEPENDS})
  # Under the sanitizers only what the fuzz targets run is worth optimising, and the fuzzer's marks: the rest builds in half the time.
  if(WARPSIGHT_SANITIZE AND sources)
    if(NOT name MATCHES "^(base|wire|trace|counters|formats)$")
      target_compile_options(${library} PRIVATE -O0)
    elseif(WARPSIGHT_FUZZ_TARGETS)
      target_compile_options(${library} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
  endif()

  if(tests AND BUILD_TESTING)
    warpsight_gtest(${name}_test "${tests}" ${library} ${arg_TEST_DEPENDS})
    if(WARPSIGHT_SANITIZE)
      target_compile_options(${name}_test PRIVATE -O0)
    endif()
  endif()
endfunction()

# The headers that nearly every test includes take half of its build: without a compiler cache, which is better still but can't
# keep what was made with them, they are read once. Clang would refuse the definitions that differ between the tests.
function(warpsight_read_test_headers_once target)
  if(CMAKE_CXX_COMPILER_LAUNCHER OR WARPSIGHT_SANITIZE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  if(NOT TARGET warpsight_test_headers)
    # A program as the tests are: its headers are compiled as theirs.
    file(WRITE ${PROJECT_BINARY_DIR}/generated/test_headers.cc "int main() {}\n")
    add_executable(warpsight_test_headers EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/generated/test_headers.cc)
    target_include_directories(warpsight_test_headers PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(warpsight_test_headers PRIVATE GTest::gtest_main fmt::fmt)
    target_compile_options(warpsight_test_headers PRIVATE ${ARGN})
    target_precompile_headers(warpsight_test_headers PRIVATE
      <algorithm> <atomic> <chrono> <cstdint> <cstring> <filesystem> <fstream> <functional> <iterator> <limits> <map> <memory> <optional>
      <random> <set> <span> <sstream> <string> <string_view> <thread> <unordered_map> <utility> <vector>
      <gtest/gtest.h> <fmt/format.h> <nlohmann/json.hpp> ${PROJECT_SOURCE_DIR}/src/trace/trace_builder.h ${PROJECT_SOURCE_DIR}/src/document/document.h)
  endif()
  # Its definitions are among those that the headers were compiled with.
  target_link_libraries(${target} PRIVATE fmt::fmt)
  target_precompile_headers(${target} REUSE_FROM warpsight_test_headers)
endfunction()

# warpsight_gtest(TARGET "source;..." library...)
#
# One GoogleTest program whose cases are registered one by one with CTest. They run in the repository root.
function(warpsight_gtest target sources)
  add_executable(${target} ${sources})
  # Joined files: most of a test's build is reading the headers of GoogleTest.
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${WARPSIGHT_TEST_DIR}
    UNITY_BUILD ON
    UNITY_BUILD_BATCH_SIZE 8)
  target_link_libraries(${target} PRIVATE ${ARGN} GTest::gtest_main)
  # Test code runs once: optimising it more would only make the build slower; not at all, the slow references take minutes.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  warpsight_read_test_headers_once(${target} $<$<CONFIG:Release>:-O1>)
  # What tests may look at, as absolute paths. The environment variable WARPSIGHT_SHARED_DATA, where set, replaces the
  # place of the larger captures, which are not in the repository: tests skip when they are absent.
  target_compile_definitions(${target} PRIVATE
    WARPSIGHT_EXAMPLES_DIR="${PROJECT_SOURCE_DIR}/examples"
    WARPSIGHT_TESTDATA_DIR="${PROJECT_SOURCE_DIR}/tests/data"
    WARPSIGHT_SHARED_DATA_DEFAULT="${PROJECT_SOURCE_DIR}/../shared/data"
    WARPSIGHT_BINARY="${PROJECT_BINARY_DIR}/warpsight")
  # Compilers name their sanitizers differently; a few tests can't run under them.
  if(WARPSIGHT_SANITIZE)
    target_compile_definitions(${target} PRIVATE WARPSIGHT_SANITIZED)
  endif()
  if(TARGET warpsight)
    add_dependencies(${target} warpsight)
  endif()
  # PRE_TEST asks the programs for their cases when ctest starts, so that the build does not have to run them.
  gtest_discover_tests(${target}
    TEST_PREFIX ${target}.
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT 300 LABELS ${target})
endfunction()
