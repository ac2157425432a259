#include "cli/help_formatter.h"

#include <string_view>

namespace warpsight {
namespace {

constexpr size_t kWidth = 80;
constexpr size_t kDescriptionColumn = 30;

// The words of `text` in lines that start at `column`; the first line goes on where `out` ends.
void AppendWrapped(std::string_view text, size_t column, std::string& out) {
  size_t used = out.size() - (out.rfind('\n') + 1);
  bool first = true;
  while (!text.empty()) {
    const size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    if (!first && used + 1 + word.size() > kWidth) {
      out += "\n" + std::string(column, ' ');
      used = column;
      first = true;
    }
    if (!first) out += ' ';
    out += word;
    used += word.size() + (first ? 0 : 1);
    first = false;
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
  }
}

std::string Entry(const std::string& name, std::string_view description) {
  std::string out = "  " + name;
  if (out.size() + 1 > kDescriptionColumn) {
    out += "\n" + std::string(kDescriptionColumn, ' ');
  } else {
    out.resize(kDescriptionColumn, ' ');
  }
  AppendWrapped(description, kDescriptionColumn, out);
  return out + "\n";
}

}  // namespace

std::string HelpFormatter::make_option_usage(const CLI::Option* option) const {
  const int most = option->get_expected_max();
  if (most <= 1) return Formatter::make_option_usage(option);
  const std::string name = make_option_name(option, true);
  return most == 2 ? name + " [" + name + "]" : name + "...";
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  return Entry(make_option_name(option, is_positional) + make_option_opts(option), make_option_desc(option));
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return Entry(command->get_name(), command->get_description());
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  std::string out;
  AppendWrapped(app->get_description(), 0, out);
  return out + "\n";
}

}  // namespace warpsight
