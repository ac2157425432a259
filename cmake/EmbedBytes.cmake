# embed_bytes(FILE INDEX): appends the bytes of a file to `arrays` of the caller as the array kFile<INDEX>, and sets `size` there.
#
# For the scripts that put files into the program (EmbedData.cmake, EmbedPage.cmake).
function(embed_bytes file index)
  file(READ "${file}" bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  # Characters instead of a string literal: nothing in the data can end it, and no compiler limits its length.
  string(REPEAT "[0-9a-f][0-9a-f]" 16 line)
  string(REGEX REPLACE "(${line})" "\\1\n    " bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND arrays "constexpr char kFile${index}[] = {\n    ${bytes}'\\0'};\n")
  set(arrays "${arrays}" PARENT_SCOPE)
  set(size "${size}" PARENT_SCOPE)
endfunction()
