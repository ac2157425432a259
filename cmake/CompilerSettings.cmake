# Compiler and linker flags for every target of the project.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# A profiling tool should itself be easy to profile.
add_compile_options(-fno-omit-frame-pointer)
# Position independent code may otherwise not inline a function of its own file, since another library could replace it.
add_compile_options(-fno-semantic-interposition)

if(WARPSIGHT_DEV_WARNINGS)
  add_compile_options(-Wall -Wextra -Wshadow -Werror)
endif()

if(WARPSIGHT_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -D_GLIBCXX_ASSERTIONS)
  add_link_options(-fsanitize=address,undefined)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # The same objects serve the tests and the fuzz targets: building them twice takes minutes.
    set(WARPSIGHT_FUZZ_TARGETS ON)
    # Twenty programs with the sanitizers' tables are linked: a minute on two cores with the usual linker.
    find_program(WARPSIGHT_LLD ld.lld)
    if(WARPSIGHT_LLD)
      add_link_options(-fuse-ld=lld)
    endif()
  else()
    # gcc reports false positives of this one in code that the sanitizers instrument.
    add_compile_options(-Wno-error=maybe-uninitialized)
  endif()
endif()

find_program(WARPSIGHT_CCACHE ccache)
if(WARPSIGHT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${WARPSIGHT_CCACHE})
endif()
