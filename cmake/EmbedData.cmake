# Puts the files of data/ into the program, so that it needs no installed files (see src/base/embedded_data.h).
#
# Included from CMakeLists.txt this file defines warpsight_embed_data(); run as a script (cmake -P) with SOURCE_DIR, FILES
# and OUTPUT it writes the generated source.

if(CMAKE_SCRIPT_MODE_FILE)
  string(REPLACE "," ";" files "${FILES}")
  set(arrays "")
  set(rows "")
  set(index 0)
  foreach(file IN LISTS files)
    file(READ "${SOURCE_DIR}/${file}" bytes HEX)
    string(LENGTH "${bytes}" digits)
    math(EXPR size "${digits} / 2")
    # Characters instead of a string literal: nothing in the data can end it, and no compiler limits its length.
    string(REPEAT "[0-9a-f][0-9a-f]" 16 line)
    string(REGEX REPLACE "(${line})" "\\1\n    " bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
    string(APPEND arrays "constexpr char kFile${index}[] = {\n    ${bytes}'\\0'};\n")
    string(APPEND rows "    {\"${file}\", {kFile${index}, ${size}}},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  file(WRITE "${OUTPUT}" "// Generated from data/ by cmake/EmbedData.cmake.
#include \"base/embedded_data.h\"

#include <array>

namespace warpsight {
namespace {

${arrays}
constexpr std::array<EmbeddedDataFile, ${index}> kFiles = {{
${rows}}};

}  // namespace

std::span<const EmbeddedDataFile> EmbeddedDataFiles() { return kFiles; }

}  // namespace warpsight
")
  return()
endif()

# Sets OUT_VARIABLE to the path of a generated source that holds every data/**/*.toml of the project.
function(warpsight_embed_data out_variable)
  set(output ${PROJECT_BINARY_DIR}/generated/embedded_files.cc)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/data/*.toml)
  list(SORT files)
  list(TRANSFORM files PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE inputs)
  # A comma separates the names because a semicolon would split the argument.
  string(REPLACE ";" "," names "${files}")
  # The list itself is an input too: removing a data file must run the generator again.
  set(list_file ${PROJECT_BINARY_DIR}/generated/embedded_files.txt)
  file(CONFIGURE OUTPUT ${list_file} CONTENT "${names}\n" @ONLY)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DFILES=${names} -DOUTPUT=${output}
            -P ${PROJECT_SOURCE_DIR}/cmake/EmbedData.cmake
    DEPENDS ${inputs} ${list_file} ${PROJECT_SOURCE_DIR}/cmake/EmbedData.cmake
    COMMENT "Embedding data/"
    VERBATIM)
  set(${out_variable} ${output} PARENT_SCOPE)
endfunction()
