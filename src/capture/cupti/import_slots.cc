#include "capture/cupti/import_slots.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <unordered_map>

#include "capture/elf_file.h"
#include "capture/sampling/unwind_table.h"

namespace warpsight::capture::cupti {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kImportKinds[] = {R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT};
#elif defined(__aarch64__)
constexpr uint32_t kImportKinds[] = {R_AARCH64_GLOB_DAT, R_AARCH64_JUMP_SLOT};
#endif
constexpr size_t kAtOnce = 4096;            // symbols and relocations
constexpr uint64_t kMostNames = 1'000'000;  // of a library's entries that say what it needs
constexpr uint64_t kMostNameBytes = 256;

// What of a library's file says where it keeps the addresses of its imports.
struct ImportTables {
  struct Relocations {
    uint64_t first = 0;  // offset in the file
    uint64_t bytes = 0;
  };
  Relocations tables[2];
  bool needs = false;
};

std::vector<Elf64_Dyn> DynamicOf(const ElfFile& file) {
  for (const Elf64_Phdr& segment : file.segments()) {
    if (segment.p_type != PT_DYNAMIC || segment.p_filesz / sizeof(Elf64_Dyn) > kMostNames) continue;
    std::vector<Elf64_Dyn> entries(segment.p_filesz / sizeof(Elf64_Dyn));
    if (!file.Read(segment.p_offset, entries.data(), entries.size() * sizeof(Elf64_Dyn))) return {};
    const auto end = std::find_if(entries.begin(), entries.end(), [](const Elf64_Dyn& e) { return e.d_tag == DT_NULL; });
    entries.erase(end, entries.end());
    return entries;
  }
  return {};
}

ImportTables TablesOf(const ElfFile& file, const char* needed) {
  ImportTables tables;
  const std::vector<Elf64_Dyn> dynamic = DynamicOf(file);
  uint64_t texts = 0;
  bool has_texts = false;
  for (const Elf64_Dyn& entry : dynamic) {
    if (entry.d_tag == DT_STRTAB) has_texts = file.OffsetOf(entry.d_un.d_ptr, texts);
    if (entry.d_tag == DT_JMPREL) file.OffsetOf(entry.d_un.d_ptr, tables.tables[0].first);
    if (entry.d_tag == DT_PLTRELSZ) tables.tables[0].bytes = entry.d_un.d_val;
    if (entry.d_tag == DT_RELA) file.OffsetOf(entry.d_un.d_ptr, tables.tables[1].first);
    if (entry.d_tag == DT_RELASZ) tables.tables[1].bytes = entry.d_un.d_val;
  }
  if (!has_texts) return tables;
  for (const Elf64_Dyn& entry : dynamic) {
    tables.needs = tables.needs || (entry.d_tag == DT_NEEDED &&
                                    file.Text(texts + entry.d_un.d_val, kMostNameBytes).find(needed) != std::string::npos);
  }
  return tables;
}

// Calls `visit(entry)` for each of a table.
template <typename Entry, typename Visit>
void ForEach(const ElfFile& file, uint64_t offset, uint64_t bytes, const Visit& visit) {
  if (offset == 0 || !file.Has(offset, bytes)) return;
  std::vector<Entry> some(kAtOnce);
  for (uint64_t left = bytes / sizeof(Entry); left > 0;) {
    const uint64_t count = std::min<uint64_t>(left, kAtOnce);
    if (!file.Read(offset, some.data(), count * sizeof(Entry))) return;
    for (uint64_t i = 0; i < count; ++i) visit(some[i]);
    offset += count * sizeof(Entry);
    left -= count;
  }
}

// Numbers of the library's symbols that are among the imports, with their indices.
std::unordered_map<uint64_t, size_t> ImportsBySymbol(const ElfFile& file, const std::vector<ReplacedImport>& imports) {
  std::unordered_map<uint64_t, size_t> found;
  const std::vector<Elf64_Shdr> sections = file.Sections();
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_DYNSYM || section.sh_link >= sections.size()) continue;
    uint64_t number = 0;
    ForEach<Elf64_Sym>(file, section.sh_offset, section.sh_size, [&](const Elf64_Sym& symbol) {
      ++number;
      if (symbol.st_shndx != SHN_UNDEF || symbol.st_name == 0) return;
      const std::string name = file.Text(sections[section.sh_link].sh_offset + symbol.st_name, kMostNameBytes);
      for (size_t i = 0; i < imports.size(); ++i) {
        if (name == imports[i].name) found.emplace(number - 1, i);
      }
    });
  }
  return found;
}

// Where a library's table of imports is made unwritable once it is loaded.
struct Sealed {
  uintptr_t begin = 0;
  uintptr_t end = 0;
};

bool Write(uintptr_t address, bool is_sealed, void* value) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  void* const first = reinterpret_cast<void*>(address & ~(page - 1));
  if (is_sealed && mprotect(first, page, PROT_READ | PROT_WRITE) != 0) return false;
  __atomic_store_n(reinterpret_cast<void**>(address), value, __ATOMIC_RELEASE);
  if (is_sealed) mprotect(first, page, PROT_READ);
  return true;
}

// The loader still writes into the tables of a library that it has not finished, and seals them then.
bool IsLoadedWhole(uintptr_t address) {
  sampling::CodeObject object;
  return !sampling::CanFindCodeObjects() || sampling::FindCodeObject(address, object);
}

}  // namespace

void ImportSlots::Find(const std::vector<LoadedCode>& libraries, const std::vector<ReplacedImport>& imports) {
  std::set<Library> still;
  for (const LoadedCode& part : libraries) {
    const Library library = {part.path, part.load_offset};
    if (part.path.empty() || part.path.front() != '/' || !still.insert(library).second) continue;
    if (!known_.contains(library)) FindIn(part, imports);
  }
  std::erase_if(slots_, [&](const Slot& slot) { return !still.contains(slot.library); });
  known_ = std::move(still);
}

void ImportSlots::FindIn(const LoadedCode& part, const std::vector<ReplacedImport>& imports) {
  const ElfFile file(part.path);
  const ImportTables tables = TablesOf(file, needed_);
  if (!tables.needs) return;
  Slot slot;
  slot.library = {part.path, part.load_offset};
  Sealed sealed;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  for (const Elf64_Phdr& segment : file.segments()) {
    const uintptr_t begin = part.load_offset + segment.p_vaddr;
    if (segment.p_type == PT_LOAD) {
      if (slot.end == 0) slot.begin = begin;
      slot.end = std::max(slot.end, begin + segment.p_memsz);
    }
    // Whole pages, as the loader seals them.
    if (segment.p_type == PT_GNU_RELRO) sealed = {begin & ~(page - 1), (begin + segment.p_memsz) & ~(page - 1)};
  }
  const std::unordered_map<uint64_t, size_t> import_of = ImportsBySymbol(file, imports);
  for (const ImportTables::Relocations& table : tables.tables) {
    ForEach<Elf64_Rela>(file, table.first, table.bytes, [&](const Elf64_Rela& relocation) {
      const auto kind = static_cast<uint32_t>(ELF64_R_TYPE(relocation.r_info));
      if (kind != kImportKinds[0] && kind != kImportKinds[1]) return;
      const auto import = import_of.find(ELF64_R_SYM(relocation.r_info));
      if (import == import_of.end()) return;
      slot.address = part.load_offset + relocation.r_offset;
      slot.import = imports[import->second].name;
      slot.is_sealed = slot.address >= sealed.begin && slot.address < sealed.end;
      slots_.push_back(slot);
    });
  }
}

// Reads what may not be there any more. Opened anew each time: in a forked child the parent's file is of the parent's
// memory.
class OwnMemory {
 public:
  OwnMemory() : file_(open("/proc/self/mem", O_RDONLY | O_CLOEXEC)) {}
  ~OwnMemory() {
    if (file_ >= 0) close(file_);
  }
  OwnMemory(const OwnMemory&) = delete;
  OwnMemory& operator=(const OwnMemory&) = delete;
  bool Read(uintptr_t address, uintptr_t& word) const {
    return file_ >= 0 && pread(file_, &word, sizeof(word), static_cast<off_t>(address)) == sizeof(word);
  }

 private:
  const int file_;
};

bool ImportSlots::LeadsTo(const Slot& slot, const ReplacedImport& import, const OwnMemory& memory) {
  uintptr_t now = 0;
  return memory.Read(slot.address, now) &&
         (now == reinterpret_cast<uintptr_t>(import.meant) || (now >= slot.begin && now < slot.end));
}

// What lies there while nothing is unloaded can be written.
bool ImportSlots::ReplaceOne(const Slot& slot, const ReplacedImport& import, const OwnMemory& memory) {
  struct Wanted {
    const Slot& slot;
    const ReplacedImport& import;
    const OwnMemory& memory;
    bool is_replaced;
  } wanted = {slot, import, memory, false};
  WhileNothingIsUnloaded(
      [](void* in_out) {
        auto& one = *static_cast<Wanted*>(in_out);
        one.is_replaced = LeadsTo(one.slot, one.import, one.memory) && IsLoadedWhole(one.slot.address) &&
                          Write(one.slot.address, one.slot.is_sealed, one.import.ours);
      },
      &wanted);
  return wanted.is_replaced;
}

size_t ImportSlots::Replace(const std::vector<ReplacedImport>& imports) {
  if (slots_.empty()) return 0;
  const OwnMemory memory;
  size_t replaced = 0;
  for (const Slot& slot : slots_) {
    for (const ReplacedImport& import : imports) {
      if (strcmp(import.name, slot.import) == 0 && LeadsTo(slot, import, memory) && ReplaceOne(slot, import, memory))
        ++replaced;
    }
  }
  return replaced;
}

}  // namespace warpsight::capture::cupti
