#include "capture/cupti/import_slots.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace warpsight::capture::cupti {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kImportKinds[] = {R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT};
#elif defined(__aarch64__)
constexpr uint32_t kImportKinds[] = {R_AARCH64_GLOB_DAT, R_AARCH64_JUMP_SLOT};
#endif

struct Module {
  ElfW(Addr) base = 0;
  ElfW(Addr) end = 0;
  const ElfW(Dyn) * dynamic = nullptr;
  // Made unwritable once the library is loaded.
  ElfW(Addr) sealed_begin = 0;
  ElfW(Addr) sealed_end = 0;
};

// What of a library's dynamic section says which names it imports, and where it keeps their addresses.
struct ImportTables {
  const char* texts = nullptr;
  const ElfW(Sym) * symbols = nullptr;
  struct Relocations {
    const ElfW(Rela) * first = nullptr;
    size_t count = 0;
  };
  Relocations tables[2];
  bool needs = false;
};

ImportTables TablesOf(const Module& module, const char* needed) {
  ImportTables tables;
  for (const ElfW(Dyn)* entry = module.dynamic; entry->d_tag != DT_NULL; ++entry) {
    const ElfW(Addr) address = entry->d_un.d_ptr;
    if (entry->d_tag == DT_STRTAB) tables.texts = reinterpret_cast<const char*>(address);
    if (entry->d_tag == DT_SYMTAB) tables.symbols = reinterpret_cast<const ElfW(Sym)*>(address);
    if (entry->d_tag == DT_JMPREL) tables.tables[0].first = reinterpret_cast<const ElfW(Rela)*>(address);
    if (entry->d_tag == DT_PLTRELSZ) tables.tables[0].count = entry->d_un.d_val / sizeof(ElfW(Rela));
    if (entry->d_tag == DT_RELA) tables.tables[1].first = reinterpret_cast<const ElfW(Rela)*>(address);
    if (entry->d_tag == DT_RELASZ) tables.tables[1].count = entry->d_un.d_val / sizeof(ElfW(Rela));
  }
  if (tables.texts == nullptr || tables.symbols == nullptr) return tables;
  for (const ElfW(Dyn)* entry = module.dynamic; entry->d_tag != DT_NULL; ++entry)
    tables.needs =
        tables.needs || (entry->d_tag == DT_NEEDED && strstr(tables.texts + entry->d_un.d_val, needed) != nullptr);
  return tables;
}

Module ModuleOf(const dl_phdr_info& info) {
  Module module;
  module.base = info.dlpi_addr;
  for (size_t i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    const ElfW(Addr) begin = module.base + header.p_vaddr;
    if (header.p_type == PT_LOAD) module.end = std::max(module.end, begin + header.p_memsz);
    if (header.p_type == PT_DYNAMIC) module.dynamic = reinterpret_cast<const ElfW(Dyn)*>(begin);
    if (header.p_type != PT_GNU_RELRO) continue;
    module.sealed_begin = begin;
    module.sealed_end = begin + header.p_memsz;
  }
  return module;
}

// An import that has not been called yet leads to the library's own stub, which would look the name up.
bool LeadsTo(const Module& module, void* slot, void* meant) {
  const auto at = reinterpret_cast<ElfW(Addr)>(slot);
  return slot == meant || (at >= module.base && at < module.end);
}

bool Write(const Module& module, void** slot, void* value) {
  const auto page = static_cast<ElfW(Addr)>(sysconf(_SC_PAGESIZE));
  const auto at = reinterpret_cast<ElfW(Addr)>(slot);
  const bool sealed = at >= module.sealed_begin && at < module.sealed_end;
  void* const first = reinterpret_cast<void*>(at & ~(page - 1));
  if (sealed && mprotect(first, page, PROT_READ | PROT_WRITE) != 0) return false;
  __atomic_store_n(slot, value, __ATOMIC_RELEASE);
  if (sealed) mprotect(first, page, PROT_READ);
  return true;
}

size_t ReplaceIn(const Module& module, const ImportTables& tables, const std::vector<ReplacedImport>& imports) {
  size_t replaced = 0;
  for (const ImportTables::Relocations& table : tables.tables) {
    for (size_t i = 0; i < (table.first == nullptr ? 0 : table.count); ++i) {
      const ElfW(Rela)& relocation = table.first[i];
      const auto kind = static_cast<uint32_t>(ELF64_R_TYPE(relocation.r_info));
      if (kind != kImportKinds[0] && kind != kImportKinds[1]) continue;
      const char* const name = tables.texts + tables.symbols[ELF64_R_SYM(relocation.r_info)].st_name;
      for (const ReplacedImport& import : imports) {
        if (strcmp(name, import.name) != 0) continue;
        void** const slot = reinterpret_cast<void**>(module.base + relocation.r_offset);
        if (LeadsTo(module, *slot, import.meant) && Write(module, slot, import.ours)) ++replaced;
      }
    }
  }
  return replaced;
}

struct Wanted {
  const char* needed;
  const std::vector<ReplacedImport>* imports;
  size_t replaced = 0;
};

int ReplaceInOne(dl_phdr_info* info, size_t /*size*/, void* wanted_by) {
  auto* const wanted = static_cast<Wanted*>(wanted_by);
  const Module module = ModuleOf(*info);
  // The kernel's own library keeps offsets, not addresses, in its dynamic section.
  const bool is_kernels = info->dlpi_name != nullptr && strstr(info->dlpi_name, "linux-vdso") != nullptr;
  if (module.dynamic == nullptr || is_kernels) return 0;
  const ImportTables tables = TablesOf(module, wanted->needed);
  if (tables.needs) wanted->replaced += ReplaceIn(module, tables, *wanted->imports);
  return 0;
}

}  // namespace

// While it is gone over the list of libraries nothing is unloaded; the loader's other lock, which is held while libraries
// are initialised, is not asked for.
size_t ReplaceImports(const char* needed, const std::vector<ReplacedImport>& imports) {
  Wanted wanted = {needed, &imports};
  dl_iterate_phdr(ReplaceInOne, &wanted);
  return wanted.replaced;
}

bool IsLibraryLoaded(const char* name) {
  return dl_iterate_phdr(
             [](dl_phdr_info* info, size_t /*size*/, void* wanted) {
               return info->dlpi_name != nullptr && strstr(info->dlpi_name, static_cast<const char*>(wanted)) != nullptr ? 1
                                                                                                                         : 0;
             },
             const_cast<char*>(name)) != 0;
}

uint64_t LibrariesLoaded() {
  uint64_t loaded = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t /*size*/, void* into) {
        *static_cast<uint64_t*>(into) = info->dlpi_adds;
        return 1;
      },
      &loaded);
  return loaded;
}

}  // namespace warpsight::capture::cupti
