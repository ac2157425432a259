// DocumentAnswers: the JSON of the command line's verbs for a trace, byte for byte what `warpsight VERB --json` prints.
//
// Place in the flow: VERB, range, device, limit -> Selection -> the verb's own document function -> RenderJson. Documents
// of a trace are made one at a time, those that are kept are given meanwhile; documents are kept, at most kMostKeptBytes of
// them, the longest unused going first. Errors: kUsage for bad parameters, kLacks as the verb. Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/given.h"
#include "base/status.h"
#include "document/document.h"
#include "server/api/query.h"
#include "trace/trace.h"

namespace warpsight::server {

class DocumentAnswers {
 public:
  DocumentAnswers(const Trace& trace, Given given) : trace_(trace), given_(std::move(given)) {}

  Result<std::string> Answer(std::string_view verb, const Query& query);
  // `diff` of this trace and another, number `with` of the server; range and device are asked of both.
  Result<std::string> AnswerDiff(const Trace& other, int64_t with, const Query& query);
  static bool IsVerb(std::string_view verb);
  static constexpr std::string_view kDiff = "diff";
  static constexpr size_t kMostKeptBytes = size_t{64} << 20;
  size_t kept_bytes();

 private:
  using Kept = std::pair<std::string, std::string>;  // question, answer

  std::optional<std::string> FindKept(const std::string& key);
  void Keep(const std::string& key, const std::string& text);
  // The kept answer to `key`, else that of `make`, which is then kept.
  Result<std::string> KeptOr(const std::string& key, const std::function<Result<std::string>()>& make);

  const Trace& trace_;
  const Given given_;
  std::mutex making_;     // held while a document is made: one at a time
  std::mutex mutex_;      // of what follows; taken after making_
  std::list<Kept> kept_;  // the last used first
  size_t kept_bytes_ = 0;
};

}  // namespace warpsight::server
