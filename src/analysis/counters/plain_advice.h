// The texts of a recorder's rules without their links: "@section:Id:label@" and "@url:label:address@" become the label.
#pragma once

#include <string>
#include <string_view>

namespace warpsight {

std::string PlainAdvice(std::string_view text);

}  // namespace warpsight
