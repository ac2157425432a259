// HtmlProblem: whether a page is well formed, for tests. Strict where browsers forgive. Test code only.
//
// Checked: every opened element is closed in order; every '<' begins a tag that is known here; attributes are quoted and
// none is a handler ("onclick"); every '&' begins an entity; no control characters; ids are unique and every reference to an
// id has one; nothing refers to the network.
#pragma once

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpsight {

class HtmlChecker {
 public:
  explicit HtmlChecker(std::string_view page) : page_(page) {}

  // Empty when nothing is wrong.
  std::string Problem() {
    constexpr std::string_view kDoctype = "<!doctype html>\n";
    if (page_.substr(0, kDoctype.size()) != kDoctype) return "no doctype";
    at_ = kDoctype.size();
    while (at_ < page_.size() && problem_.empty()) page_[at_] == '<' ? Tag() : Text();
    if (problem_.empty() && !open_.empty()) Fail("not closed: " + open_.back());
    for (const std::string& id : referred_) {
      if (problem_.empty() && ids_.count(id) == 0) Fail("no element has the id " + id);
    }
    return problem_;
  }

 private:
  void Fail(const std::string& what) {
    problem_ = what + " near: " + std::string(page_.substr(at_ > 60 ? at_ - 60 : 0, 120));
  }

  void Characters(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto c = static_cast<unsigned char>(text[i]);
      if (c < 0x20 && c != '\n') return Fail("control character");
      if (c == 0x7F) return Fail("control character");
      if (c != '&') continue;
      bool known = false;
      for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"})
        known = known || text.substr(i, entity.size()) == entity;
      if (!known) return Fail("bare &");
    }
  }

  void Text() {
    const std::size_t end = std::min(page_.find('<', at_), page_.size());
    Characters(page_.substr(at_, end - at_));
    at_ = end;
  }

  void Tag() {
    const std::size_t begin = at_;
    const bool closing = page_.substr(at_, 2) == "</";
    at_ += closing ? 2 : 1;
    std::string name;
    while (at_ < page_.size() && std::isalnum(static_cast<unsigned char>(page_[at_])) != 0) name += page_[at_++];
    static const std::set<std::string> kKnown = {
        "html",    "head",  "meta",   "title",   "style",   "body",    "a",          "header", "div",  "span", "button",
        "h1",      "h2",    "h3",     "nav",     "ul",      "ol",      "li",         "main",   "p",    "b",    "i",
        "section", "dl",    "dt",     "dd",      "article", "figure",  "figcaption", "svg",    "desc", "g",    "rect",
        "text",    "tspan", "line",   "circle",  "table",   "caption", "thead",      "tbody",  "tr",   "th",   "td",
        "label",   "input", "output", "details", "summary", "footer",  "script",     "pre",    "code"};
    if (kKnown.count(name) == 0) {
      at_ = begin;
      return Fail("unknown tag <" + name);
    }
    bool closed_at_once = false;
    if (!closing) Attributes(name);
    if (!problem_.empty()) return;
    if (page_.substr(at_, 2) == "/>") {
      closed_at_once = true;
      ++at_;
    }
    if (at_ >= page_.size() || page_[at_] != '>') return Fail("tag does not end: " + name);
    ++at_;
    if (closing) {
      if (open_.empty() || open_.back() != name) return Fail("closes another element: " + name);
      open_.pop_back();
    } else if (!closed_at_once && name != "meta" && name != "input") {
      open_.push_back(name);
      if (name == "style" || name == "script") SkipRawText(name);
    }
  }

  void Attributes(const std::string& tag) {
    std::set<std::string> seen;
    while (at_ < page_.size() && page_[at_] == ' ') {
      ++at_;
      std::string name;
      while (at_ < page_.size() && (std::isalnum(static_cast<unsigned char>(page_[at_])) != 0 || page_[at_] == '-'))
        name += page_[at_++];
      if (name.empty()) return Fail("attribute without a name in " + tag);
      if (name.substr(0, 2) == "on") return Fail("handler " + name);
      if (!seen.insert(name).second) return Fail("attribute twice: " + name);
      if (page_.substr(at_, 2) != "=\"") continue;  // hidden
      at_ += 2;
      const std::size_t end = page_.find('"', at_);
      if (end == std::string_view::npos) return Fail("value does not end: " + name);
      Value(name, std::string(page_.substr(at_, end - at_)));
      at_ = end + 1;
    }
  }

  void Value(const std::string& name, const std::string& value) {
    if (value.find('<') != std::string::npos) return Fail("< in the value of " + name);
    if (name != "content") Characters(value);
    if (name == "src") return Fail("refers to another file");
    if (name == "id" && !ids_.insert(value).second) return Fail("id twice: " + value);
    if (name == "href") {
      if (value.empty() || value[0] != '#') return Fail("refers to another page");
      referred_.insert(value.substr(1));
    }
    if (name == "aria-labelledby" || name == "aria-controls" || name == "data-table") {
      std::string id;
      for (const char c : value + " ") {
        if (c == ' ')
          referred_.insert(std::exchange(id, {}));
        else
          id += c;
      }
    }
  }

  void SkipRawText(const std::string& name) {
    const std::size_t end = page_.find("</" + name + ">", at_);
    if (end == std::string_view::npos) return Fail("raw text does not end: " + name);
    const std::string_view text = page_.substr(at_, end - at_);
    if (text.find("http:") != text.npos || text.find("https:") != text.npos || text.find("url(") != text.npos)
      return Fail("refers to the network in " + name);
    at_ = end;
  }

  std::string_view page_;
  std::size_t at_ = 0;
  std::string problem_;
  std::vector<std::string> open_;
  std::set<std::string> ids_;
  std::set<std::string> referred_;
};

inline std::string HtmlProblem(std::string_view page) { return HtmlChecker(page).Problem(); }

}  // namespace warpsight
