// Where the output goes and what it can show: the one place that reads the environment for it.
//
// Place in the flow: the command line calls StyleForStream(1) once and hands the TextStyle down.
//   width   COLUMNS when it is a positive number; else the width of the terminal; else 80
//   colour  only on a terminal, with NO_COLOR unset or empty, and TERM neither unset, empty nor "dumb"
//   ascii   unless the locale (LC_ALL, LC_CTYPE, LANG: the first that is set) says UTF-8
// Errors: none. Threads: ReadTerminal() reads the environment, so call it before threads that might change it.
#pragma once

#include <optional>
#include <string>

#include "render/text_style.h"

namespace warpsight {

// What the process was given, so that the choice is a pure function of it.
struct TerminalFacts {
  std::optional<std::string> columns;   // COLUMNS
  std::optional<std::string> no_color;  // NO_COLOR
  std::optional<std::string> term;      // TERM
  std::optional<std::string> locale;    // the first set and non-empty of LC_ALL, LC_CTYPE, LANG
  bool is_terminal = false;
  int terminal_width = 0;  // 0 = unknown
};

TerminalFacts ReadTerminal(int file_descriptor);

TextStyle ChooseStyle(const TerminalFacts& facts);

inline TextStyle StyleForStream(int file_descriptor) { return ChooseStyle(ReadTerminal(file_descriptor)); }

}  // namespace warpsight
