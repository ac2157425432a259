#include "analysis/file_roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "analysis/collective_facts.h"
#include "analysis/kernel_family.h"
#include "analysis/recorder_advice.h"

namespace warpsight {
namespace {

// What one file says of the world that it was recorded in.
struct World {
  int32_t rank = -1;
  int32_t size = -1;
  bool distributed = false;  // more than one rank took part
  bool graphs = false;
};

void ReadGpuWork(const Trace& trace, World& world) {
  const GpuWork& gpu = trace.gpu();
  FamiliesOf families(trace);
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    if (gpu.graph_id[row] != 0) world.graphs = true;
    if (gpu.collective[row] != 0) {
      const Collective& collective = trace.collective(gpu.collective[row]);
      if (world.rank < 0) world.rank = collective.rank;
      world.distributed =
          world.distributed || collective.group_size > 1 || CountRanks(trace.Text(collective.group_ranks)).value_or(0) > 1;
    } else if (!world.distributed && gpu.kind[row] == GpuKind::kKernel && world.size < 0) {
      world.distributed = families.family(row) == "collective";  // old recordings say no more
    }
  }
}

World WorldOf(const Trace& trace) {
  World world;
  world.rank = trace.recording().rank;
  world.size = trace.recording().world_size;
  world.distributed = world.size > 1;
  ReadGpuWork(trace, world);
  return world;
}

bool ReplaysGraphs(const Trace& trace, const World& world) {
  if (world.graphs) return true;
  const HostEvents& host = trace.host();
  std::vector<bool> seen(trace.strings().size());
  for (uint32_t row = 0; row < host.size(); ++row) {
    const auto name = static_cast<uint32_t>(host.name[row]);
    if (host.kind[row] != HostKind::kApi || seen[name]) continue;
    seen[name] = true;
    if (trace.Text(host.name[row]).find("GraphLaunch") != std::string_view::npos) return true;
  }
  return false;
}

const std::string& FileOf(const Trace& trace) { return trace.recording().file; }

FileRoles Refuse(std::string problem) {
  FileRoles roles;
  roles.problem = std::move(problem);
  return roles;
}

std::string WorldProblem(std::span<const Trace* const> traces, const std::vector<World>& worlds) {
  size_t first = worlds.size();
  for (size_t i = 0; i < worlds.size(); ++i) {
    if (worlds[i].size < 0) continue;
    if (first == worlds.size()) {
      first = i;
    } else if (worlds[i].size != worlds[first].size) {
      return fmt::format("{} is of a run of {} ranks and {} of one of {}: give the files of one run", FileOf(*traces[first]),
                         worlds[first].size, FileOf(*traces[i]), worlds[i].size);
    }
  }
  return "";
}

// Ranks by file; a problem when one comes twice or lies outside of the world.
FileRoles RanksOf(std::span<const Trace* const> traces, const std::vector<World>& worlds) {
  FileRoles roles;
  const auto known = [](const World& world) { return world.rank >= 0; };
  if (std::none_of(worlds.begin(), worlds.end(), known)) {
    roles.ranks.resize(worlds.size());
    std::iota(roles.ranks.begin(), roles.ranks.end(), 0);
    roles.ranks_recorded = false;
    roles.role = FilesRole::kRanks;
    return roles;
  }
  std::map<int32_t, size_t> file_of;
  for (size_t i = 0; i < worlds.size(); ++i) {
    const World& world = worlds[i];
    if (!known(world))
      return Refuse(
          fmt::format("{} does not say which rank it is, the other files do: record it with torch.distributed "
                      "initialised before the profiler starts",
                      FileOf(*traces[i])));
    if (world.size > 0 && world.rank >= world.size)
      return Refuse(fmt::format("{} says that it is rank {} of {}", FileOf(*traces[i]), world.rank, world.size));
    const auto [at, added] = file_of.try_emplace(world.rank, i);
    if (!added)
      return Refuse(fmt::format("{} and {} are both rank {}: give each rank once", FileOf(*traces[at->second]),
                                FileOf(*traces[i]), world.rank));
    roles.ranks.push_back(world.rank);
  }
  roles.role = FilesRole::kRanks;
  return roles;
}

}  // namespace

std::vector<int64_t> RankProcesses(const Trace& trace) {
  if (RecorderOf(trace.recording()) != Recorder::kWarpsight) return {};
  const GpuWork& gpu = trace.gpu();
  FamiliesOf families(trace);
  std::set<int64_t> processes;
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    const int64_t process = trace.streams()[gpu.stream[row]].process;
    if (process < 0 || gpu.kind[row] != GpuKind::kKernel || processes.count(process) != 0) continue;
    if (families.family(row) == "collective") processes.insert(process);
  }
  if (processes.size() < 2) return {};
  return {processes.begin(), processes.end()};
}

FileRoles ClassifyFiles(std::span<const Trace* const> traces) {
  FileRoles roles;
  if (traces.size() < 2) {
    roles.role = FilesRole::kSingle;
    return roles;
  }
  std::vector<World> worlds;
  for (const Trace* trace : traces) worlds.push_back(WorldOf(*trace));
  const auto distributed = [](const World& world) { return world.distributed; };
  // One rank twice, once as graphs: the other recording shows the same rank's work with its ops.
  if (traces.size() == 2 && worlds[0].rank >= 0 && worlds[0].rank == worlds[1].rank &&
      ReplaysGraphs(*traces[0], worlds[0]) && !ReplaysGraphs(*traces[1], worlds[1])) {
    roles.role = FilesRole::kReference;
    return roles;
  }
  if (std::all_of(worlds.begin(), worlds.end(), distributed)) {
    if (std::string problem = WorldProblem(traces, worlds); !problem.empty()) return Refuse(std::move(problem));
    return RanksOf(traces, worlds);
  }
  if (traces.size() == 2 && ReplaysGraphs(*traces[0], worlds[0]) && !ReplaysGraphs(*traces[1], worlds[1])) {
    roles.role = FilesRole::kReference;
    return roles;
  }
  const auto odd = std::find_if_not(worlds.begin(), worlds.end(), distributed);
  return Refuse(
      fmt::format("{} is not a rank of a run of several: files given together are the ranks of one run, or a CUDA "
                  "graph recording and then an eager one of the same model",
                  FileOf(*traces[static_cast<size_t>(odd - worlds.begin())])));
}

}  // namespace warpsight
