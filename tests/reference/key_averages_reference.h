// Key averages the slow and plain way, for differential tests: nested loops over records, maps keyed by text, no column, no
// array by id, nothing of the passes. The rules are those of docs/key-averages.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "torch_json_reference.h"

namespace warpsight::reference {

inline constexpr int kNone = -1;

// Host records by thread, start, longer first, file order: the order in which parents are looked for.
inline std::vector<HostRecord> Ordered(std::vector<HostRecord> host) {
  std::stable_sort(host.begin(), host.end(), [](const HostRecord& a, const HostRecord& b) {
    if (a.thread != b.thread) return a.thread < b.thread;
    return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
  });
  return host;
}

// The parent of each record of `host` (which is ordered): the last one before it on its thread that contains it wholly.
inline std::vector<int> ParentsOf(const std::vector<HostRecord>& host) {
  std::vector<int> parents(host.size(), kNone);
  for (size_t child = 0; child < host.size(); ++child) {
    for (size_t at = child; at-- > 0 && host[at].thread == host[child].thread;) {
      if (host[child].start_ns < host[at].end_ns && host[child].end_ns <= host[at].end_ns) {
        parents[child] = static_cast<int>(at);
        break;
      }
    }
  }
  // Overhead recorded on no thread: the innermost record of each thread that contains it, and of those the last to start.
  for (size_t child = 0; child < host.size(); ++child) {
    if (!host[child].on_no_thread || host[child].kind != HostClass::kOverhead) continue;
    std::map<std::string, size_t> innermost;
    for (size_t at = 0; at < host.size(); ++at) {
      if (host[at].on_no_thread) continue;
      if (host[at].start_ns <= host[child].start_ns && host[child].end_ns <= host[at].end_ns)
        innermost[host[at].thread] = at;
    }
    int best = kNone;
    for (const auto& [thread, at] : innermost) {
      if (best == kNone || host[at].start_ns > host[best].start_ns) best = static_cast<int>(at);
    }
    if (best != kNone) parents[child] = best;
  }
  return parents;
}

// The op or annotation that launched each piece of GPU work (annotation spans excepted).
inline std::vector<int> LaunchersOf(const std::vector<GpuRecord>& gpu, const std::vector<HostRecord>& host,
                                    const std::vector<int>& parents) {
  const auto launches = [&](size_t at) {
    return host[at].kind == HostClass::kOp || host[at].kind == HostClass::kAnnotation;
  };
  std::map<int64_t, int> ops;
  std::map<int64_t, int> calls;
  for (size_t at = 0; at < host.size(); ++at) {
    if (launches(at) && host[at].external_id != 0) ops.emplace(host[at].external_id, static_cast<int>(at));
    if (host[at].kind == HostClass::kApi && host[at].correlation != 0)
      calls.emplace(host[at].correlation, static_cast<int>(at));
  }
  const auto find = [](const std::map<int64_t, int>& index, int64_t id) {
    const auto found = index.find(id);
    return id == 0 || found == index.end() ? kNone : found->second;
  };
  std::vector<int> launchers;
  for (const GpuRecord& work : gpu) {
    const int call = find(calls, work.correlation);
    const int64_t id = work.external_id != 0 ? work.external_id : call == kNone ? 0 : host[call].external_id;
    int op = find(ops, id);
    if (op == kNone && call != kNone) {
      for (op = parents[call]; op != kNone && !launches(op);) op = parents[op];
    }
    launchers.push_back(work.kind == GpuClass::kAnnotation ? kNone : op);
  }
  return launchers;
}

struct Row {
  int64_t calls = 0;
  int64_t self_cpu_ns = 0;
  int64_t cpu_ns = 0;
  int64_t self_gpu_ns = 0;
  int64_t gpu_ns = 0;
  friend bool operator==(const Row&, const Row&) = default;
};

using RowKey = std::pair<std::string, std::string>;  // kind, name
using Rows = std::map<RowKey, Row>;

inline std::string KindText(HostClass kind) {
  switch (kind) {
    case HostClass::kOp:
      return "op";
    case HostClass::kApi:
      return "api";
    case HostClass::kAnnotation:
      return "annotation";
    case HostClass::kOverhead:
      return "overhead";
  }
  return "";
}

inline std::string KindText(GpuClass kind) {
  switch (kind) {
    case GpuClass::kKernel:
      return "kernel";
    case GpuClass::kMemcpy:
      return "memcpy";
    case GpuClass::kMemset:
      return "memset";
    case GpuClass::kAnnotation:
      return "span";
  }
  return "";
}

// A tree of nodes with lists, rewritten step by step as the definition says.
struct Node {
  const HostRecord* record = nullptr;
  std::vector<Node*> children;
  int64_t own_gpu_ns = 0;
  bool lifted = false;  // became one node with its parent
};

inline int64_t GpuOf(const Node& node) {
  int64_t sum = node.own_gpu_ns;
  for (const Node* child : node.children) sum += GpuOf(*child);
  return sum;
}

inline bool LiftOnlyChild(Node& node) {
  if (node.children.size() != 1) return false;
  Node& child = *node.children.front();
  if (child.record->name != node.record->name || child.record->kind != node.record->kind) return false;
  node.own_gpu_ns += child.own_gpu_ns;
  node.children = child.children;
  child.children.clear();
  child.lifted = true;
  return true;
}

inline Rows KeyAverages(const Recording& recording) {
  const std::vector<HostRecord> host = Ordered(recording.host);
  const std::vector<int> parents = ParentsOf(host);
  const std::vector<int> launchers = LaunchersOf(recording.gpu, host, parents);
  std::vector<Node> nodes(host.size());
  for (size_t at = 0; at < host.size(); ++at) {
    nodes[at].record = &host[at];
    if (parents[at] != kNone) nodes[parents[at]].children.push_back(&nodes[at]);
  }
  Rows rows;
  for (size_t at = 0; at < recording.gpu.size(); ++at) {
    const GpuRecord& work = recording.gpu[at];
    const int64_t duration_ns = work.end_ns - work.start_ns;
    Row& row = rows[{KindText(work.kind), work.name}];
    ++row.calls;
    row.self_gpu_ns += duration_ns;
    row.gpu_ns += duration_ns;
    if (launchers[at] != kNone) nodes[launchers[at]].own_gpu_ns += duration_ns;
  }
  for (Node& node : nodes) {
    if (node.lifted) continue;
    while (LiftOnlyChild(node)) continue;
  }
  for (const Node& node : nodes) {
    if (node.lifted) continue;
    const std::string& name = node.record->name;
    Row& row = rows[{KindText(node.record->kind), name.rfind("ProfilerStep#", 0) == 0 ? "ProfilerStep*" : name}];
    const int64_t duration_ns = node.record->end_ns - node.record->start_ns;
    ++row.calls;
    row.cpu_ns += duration_ns;
    row.self_cpu_ns += duration_ns;
    for (const Node* child : node.children) row.self_cpu_ns -= child->record->end_ns - child->record->start_ns;
    row.self_gpu_ns += node.own_gpu_ns;
    row.gpu_ns += GpuOf(node);
  }
  return rows;
}

}  // namespace warpsight::reference
