#include "formats/torch_json/metadata.h"

#include <limits>
#include <optional>
#include <string>

#include <simdjson.h>

#include "base/decimal.h"
#include "formats/torch_json/json_text.h"

namespace warpsight::torch_json {
namespace {

// A value as people write it: strings without quotes.
std::string PlainText(const std::string& raw) {
  const bool quoted = raw.size() >= 2 && raw.front() == '"' && raw.back() == '"';
  return quoted ? Unescape(std::string_view(raw).substr(1, raw.size() - 2)).text : raw;
}

int64_t IntegerOr(const simdjson::dom::element& object, const char* key, int64_t otherwise) {
  int64_t value = 0;
  return object[key].get(value) == simdjson::SUCCESS ? value : otherwise;
}

int32_t SmallIntegerOr(const simdjson::dom::element& object, const char* key, int32_t otherwise) {
  const int64_t value = IntegerOr(object, key, otherwise);
  const bool fits = value >= std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max();
  return fits ? static_cast<int32_t>(value) : otherwise;
}

class MetadataReader {
 public:
  MetadataReader(TraceHeader& header, ImportLog& log) : header_(header), log_(log) {}

  void Read(const std::string& key, const std::string& raw) {
    RecordingInfo& info = header_.recording;
    if (key == "deviceProperties" || key == "computeProperties") {
      ReadDevices(raw);
    } else if (key == "distributedInfo") {
      ReadDistributed(raw);
    } else if (key == "baseTimeNanoseconds") {
      if (const std::optional<int64_t> base = ParseInteger(PlainText(raw))) {
        info.clock_base_ns = *base;
        info.has_clock_base = true;
      } else {
        Damaged(key);
      }
    } else if (key == "traceName") {
      info.trace_name = PlainText(raw);
    }
    if (key == "schemaVersion" || key.find("version") != std::string::npos) {
      info.version += (info.version.empty() ? "" : "; ") + key + " " + PlainText(raw);
    }
    info.properties.emplace_back(key, PlainText(raw));
  }

 private:
  void Damaged(const std::string& key) {
    log_.Add("damaged_metadata", ImportSeverity::kWarning, Effect::kNote,
             "a fact about the recording could not be read: \"" + key + "\"", -1);
  }

  void ReadDevices(const std::string& raw) {
    simdjson::dom::array devices;
    if (parser_.parse(raw).get(devices) != simdjson::SUCCESS) return Damaged("deviceProperties");
    for (const simdjson::dom::element properties : devices) {
      if (!properties.is_object()) continue;
      Device& device = header_.devices.emplace_back();
      device.id = SmallIntegerOr(properties, "id", static_cast<int32_t>(header_.devices.size()) - 1);
      std::string_view name;
      if (properties["name"].get(name) == simdjson::SUCCESS) device.name = name;
      device.total_memory_bytes = IntegerOr(properties, "totalGlobalMem", -1);
      device.compute_major = SmallIntegerOr(properties, "computeMajor", -1);
      device.compute_minor = SmallIntegerOr(properties, "computeMinor", -1);
      device.sm_count = SmallIntegerOr(properties, "numSms", -1);
    }
  }

  void ReadDistributed(const std::string& raw) {
    simdjson::dom::element info;
    if (parser_.parse(raw).get(info) != simdjson::SUCCESS || !info.is_object()) return Damaged("distributedInfo");
    header_.recording.rank = SmallIntegerOr(info, "rank", -1);
    header_.recording.world_size = SmallIntegerOr(info, "world_size", -1);
    std::string_view backend;
    if (info["backend"].get(backend) == simdjson::SUCCESS) header_.recording.backend = backend;
  }

  TraceHeader& header_;
  ImportLog& log_;
  simdjson::dom::parser parser_;
};

}  // namespace

void ReadMetadata(const TopLevelMembers& members, TraceHeader& header, ImportLog& log) {
  MetadataReader reader(header, log);
  for (const auto& [key, raw] : members) reader.Read(key, raw);
}

}  // namespace warpsight::torch_json
