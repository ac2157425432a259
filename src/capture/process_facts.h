// What a process can say of itself, and the marks by which it and `warpsight` tell each other where they are.
//
// Errors: what can't be read is empty. Threads: pure, but for the file system.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warpsight::capture {

// The command line, blanks between the words.
std::string CommandOfProcess();
std::string HostName();
// "rank=1 ranks=8" of a process of a distributed run, as torchrun, MPI and Slurm tell it; empty when they don't.
std::string RankOfProcess();
// Thread numbers and names as the system knows them: "python3", "pt_autograd_0".
std::vector<std::pair<uint64_t, std::string>> NamesOfThreads();

// Marks are files FOLDER/PROCESS.ENDING: a session is there (armed), its capture is written whole (done).
inline constexpr const char* kSessionMark = ".session";
inline constexpr const char* kDoneMark = ".done";
// Left by `warpsight trigger` for an armed session (settings.h tells the text), which renames it while it captures.
inline constexpr const char* kTriggerMark = ".trigger";
inline constexpr const char* kCapturingMark = ".capturing";
std::string MarkPath(const std::string& folder, uint32_t process, const char* ending);
// With its text from the first moment that it is there.
void LeaveMark(const std::string& folder, uint32_t process, const char* ending, const std::string& text = {});
// The text of a mark; empty when it is no plain file of this user.
std::string TextOfOwnFile(const std::string& path);

// Ranges of the program that were recorded, one line each, in the file FOLDER/PROCESS-SESSION.windows: "begin NS", "end NS",
// and "ignored NUMBER" at the end of a process that made more of them than were asked for.
inline constexpr const char* kWindowsEnding = ".windows";

}  // namespace warpsight::capture
