// `warpsight serve` as a process: who is answered, what over a real connection, how it ends.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/temporary_folder.h"

namespace warpsight::serve_test {
namespace {

using Json = nlohmann::ordered_json;

const std::string kDecode = WARPSIGHT_EXAMPLES_DIR "/decode_b1.pt.trace.json.gz";

// A server of its own on a free port; ended when it goes out of scope.
class ServeProcess {
 public:
  explicit ServeProcess(std::vector<std::string> arguments) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    process_ = fork();
    if (process_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
      std::vector<std::string> words = {WARPSIGHT_BINARY, "serve", "--no-open", "--quiet"};
      words.insert(words.end(), arguments.begin(), arguments.end());
      std::vector<char*> pointers;
      for (std::string& word : words) pointers.push_back(word.data());
      pointers.push_back(nullptr);
      execv(WARPSIGHT_BINARY, pointers.data());
      _exit(127);
    }
    close(ends[1]);
    char c = 0;
    while (read(ends[0], &c, 1) == 1 && c != '\n') url_ += c;
    close(ends[0]);
    const size_t colon = url_.find(':', 7);
    if (colon != std::string::npos) port_ = std::stoi(url_.substr(colon + 1));
  }
  ~ServeProcess() {
    if (process_ > 0) End(SIGTERM);
  }
  // Its exit status; -1 when a signal ended it.
  int End(int signal) {
    kill(process_, signal);
    return Wait();
  }
  int Wait() {
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  const std::string& url() const { return url_; }
  int port() const { return port_; }
  pid_t process() const { return process_; }
  int64_t resident_kb() const {
    std::ifstream status(fmt::format("/proc/{}/status", process_));
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("VmRSS:")) return std::stoll(line.substr(6));
    }
    return -1;
  }

  httplib::Client Client() const {
    httplib::Client client("127.0.0.1", port_);
    client.set_keep_alive(true);
    client.set_tcp_nodelay(true);
    client.set_read_timeout(120);
    return client;
  }
  // Until no trace is being read.
  Json WaitUntilRead() const {
    httplib::Client client = Client();
    for (int i = 0; i < 600; ++i) {
      const httplib::Result answer = client.Get("/api/v1/state");
      if (!answer) return nullptr;
      const Json state = Json::parse(answer->body);
      bool reading = false;
      for (const Json& trace : state["traces"]) reading |= trace["status"] == "reading";
      if (!reading) return state;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    ADD_FAILURE() << "the traces are never read";
    return nullptr;
  }

  // Sends bytes as they are; all that comes back until the server closes, or goes quiet for a moment.
  std::string Raw(const std::string& bytes) const {
    const int connection = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    const timeval patience{0, 500'000};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t more = send(connection, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (more <= 0) break;
      sent += static_cast<size_t>(more);
    }
    std::string answer;
    char buffer[4096];
    for (ssize_t got = 0; (got = recv(connection, buffer, sizeof(buffer), 0)) > 0;)
      answer.append(buffer, static_cast<size_t>(got));
    close(connection);
    return answer;
  }
  std::string RawGet(const std::string& target, const std::string& headers = "") const {
    return Raw(fmt::format("GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n{}\r\n", target, port_, headers));
  }

 private:
  pid_t process_ = -1;
  std::string url_;
  int port_ = 0;
};

int StatusOf(const std::string& answer) { return answer.size() > 12 ? std::atoi(answer.c_str() + 9) : 0; }

struct Said {
  std::string output;
  int status = -1;
};

Said RunWarpsight(const std::string& arguments) {
  Said said;
  FILE* const pipe = popen((std::string(WARPSIGHT_BINARY) + " " + arguments + " 2>/dev/null").c_str(), "r");
  char buffer[65536];
  for (size_t got = 0; (got = fread(buffer, 1, sizeof(buffer), pipe)) > 0;) said.output.append(buffer, got);
  said.status = WEXITSTATUS(pclose(pipe));
  return said;
}

TEST(ServeTest, AnswersAndEndsWithZero) {
  for (const int signal : {SIGINT, SIGTERM}) {
    ServeProcess serve({"--port", "0", kDecode});
    EXPECT_EQ(serve.url(), fmt::format("http://127.0.0.1:{}/", serve.port()));
    const Json state = serve.WaitUntilRead();
    EXPECT_EQ(state["schema"], "warpsight.state/1");
    EXPECT_EQ(state["traces"][0]["status"], "ready");
    EXPECT_EQ(state["traces"][0]["file"], kDecode);
    EXPECT_EQ(state["traces"][0]["done_bytes"], state["traces"][0]["total_bytes"]);
    EXPECT_EQ(StatusOf(serve.RawGet("/")), 200);
    EXPECT_EQ(StatusOf(serve.RawGet("/api/v1/traces/0/tracks")), 200);
    EXPECT_EQ(StatusOf(serve.RawGet("/api/v1/traces/1/tracks")), 404);
    EXPECT_EQ(serve.End(signal), 0);
  }
}

// The documents are those of the command line, byte for byte.
TEST(ServeTest, DocumentsEqualTheCommandLines) {
  const std::string data = WARPSIGHT_TESTDATA_DIR;
  const std::vector<std::string> files = {kDecode,
                                          WARPSIGHT_EXAMPLES_DIR "/record_decode_b1.wscap",
                                          WARPSIGHT_EXAMPLES_DIR "/graph_b1.pt.trace.json.gz",
                                          WARPSIGHT_EXAMPLES_DIR "/ddp_rank0.pt.trace.json.gz",
                                          data + "/nsys_small.sqlite",
                                          data + "/rocm_small.json",
                                          data + "/two_kernels.json"};
  std::vector<std::string> arguments = {"--port", "0"};
  arguments.insert(arguments.end(), files.begin(), files.end());
  const ServeProcess serve(arguments);
  serve.WaitUntilRead();
  httplib::Client client = serve.Client();
  const std::pair<const char*, const char*> windows[] = {
      {"", ""},
      {" --range +1ms:+60ms", "?range=%2B1ms:%2B60ms"},
      {" --range +1us:+9us --device 0", "?range=+1us:+9us&device=0"},
  };
  int compared = 0;
  for (size_t i = 0; i < files.size(); ++i) {
    for (const char* const verb : {"report", "info", "ops", "kernels", "steps", "idle", "parts", "roofline", "lint"}) {
      for (const auto& [options, query] : windows) {
        // Of a file with several ranks `report` compares them; the server shows each file for itself.
        const Said said = RunWarpsight(fmt::format("{} {} --json{}", verb, files[i], options));
        const auto answer = client.Get(fmt::format("/api/v1/traces/{}/documents/{}{}", i, verb, query).c_str());
        ASSERT_TRUE(answer);
        const std::string what = fmt::format("{} {}{}", verb, files[i], options);
        if (said.status == 0 || said.status == 1) {
          EXPECT_EQ(answer->status, 200) << what;
          EXPECT_TRUE(answer->body == said.output) << what;
          ++compared;
        } else {
          EXPECT_EQ(answer->status, said.status == 4 ? 422 : 400) << what << ": " << answer->body;
        }
      }
    }
  }
  EXPECT_GT(compared, 80);
  const auto limited = client.Get("/api/v1/traces/0/documents/kernels?limit=3");
  EXPECT_EQ(limited->body, RunWarpsight("kernels " + kDecode + " --json --limit 3").output);
}

TEST(ServeTest, EventsAreShownAsTheFileHasThem) {
  const std::string capture = WARPSIGHT_EXAMPLES_DIR "/record_decode_b1.wscap";
  ServeProcess serve({kDecode, capture});
  serve.WaitUntilRead();
  httplib::Client client = serve.Client();
  const std::string files[] = {kDecode, capture};
  for (int trace = 0; trace < 2; ++trace) {
    const std::string path = fmt::format("/api/v1/traces/{}/source?", trace);
    for (const char* const event : {"kind=gpu&row=0", "kind=gpu&row=777", "kind=host&row=3000"}) {
      const auto answer = client.Get((path + event).c_str());
      ASSERT_TRUE(answer && answer->status == 200) << event;
      const Json json = Json::parse(answer->body);
      const Said said = RunWarpsight("info --json --event " + json["source"].get<std::string>() + " " + files[trace]);
      EXPECT_EQ(Json::parse(json["text"].get<std::string>()), Json::parse(said.output)["event"]) << event;
      EXPECT_EQ(json["cut"], false);
    }
    for (const char* const event : {"kind=gpu&row=99999999", "kind=gpu", "row=1", "kind=file&row=1"})
      EXPECT_EQ(client.Get((path + event).c_str())->status, 400) << event;
  }
}

// Two recordings compared are what `warpsight diff A B` says of them.
TEST(ServeTest, DiffsEqualTheCommandLines) {
  const std::string data = WARPSIGHT_TESTDATA_DIR;
  const std::vector<std::string> files = {kDecode, WARPSIGHT_EXAMPLES_DIR "/graph_b1.pt.trace.json.gz",
                                          WARPSIGHT_EXAMPLES_DIR "/record_decode_b1.wscap", data + "/rocm_small.json"};
  std::vector<std::string> arguments = {"--port", "0"};
  arguments.insert(arguments.end(), files.begin(), files.end());
  const ServeProcess serve(arguments);
  serve.WaitUntilRead();
  httplib::Client client = serve.Client();
  const std::pair<const char*, const char*> windows[] = {
      {"", ""}, {" --range +1ms:+60ms", "&range=%2B1ms:%2B60ms"}, {" --device 0", "&device=0"}};
  int compared = 0;
  for (size_t a = 0; a < files.size(); ++a) {
    for (size_t b = 0; b < files.size(); ++b) {
      for (const auto& [options, query] : windows) {
        const Said said = RunWarpsight(fmt::format("diff {} {} --json{}", files[a], files[b], options));
        const auto answer = client.Get(fmt::format("/api/v1/traces/{}/documents/diff?with={}{}", a, b, query).c_str());
        ASSERT_TRUE(answer);
        const std::string what = fmt::format("{} {}{}", files[a], files[b], options);
        if (said.status == 0) {
          EXPECT_TRUE(answer->body == said.output) << what;
          ++compared;
        } else {
          EXPECT_EQ(answer->status, said.status == 4 ? 422 : 400) << what << ": " << answer->body;
        }
      }
    }
  }
  EXPECT_GT(compared, 30);
}

TEST(ServeTest, RanksAreAlignedWhereTheirCollectivesAgree) {
  const ServeProcess serve({"--port", "0", WARPSIGHT_EXAMPLES_DIR "/ddp_rank0.pt.trace.json.gz",
                            WARPSIGHT_EXAMPLES_DIR "/ddp_rank1.pt.trace.json.gz"});
  serve.WaitUntilRead();
  const auto answer = serve.Client().Get("/api/v1/ranks");
  ASSERT_TRUE(answer);
  const auto ranks = nlohmann::json::parse(answer->body);
  EXPECT_EQ(ranks["status"], "aligned") << answer->body;
  EXPECT_EQ(ranks["ranks"].size(), 2u);
  EXPECT_LT(ranks["ranks"][1]["error_ns"], 1'000'000);
  // The comparison is that of `report`, but for the verdict on each rank.
  auto report = nlohmann::json::parse(RunWarpsight("report " WARPSIGHT_EXAMPLES_DIR
                                                   "/ddp_rank0.pt.trace.json.gz " WARPSIGHT_EXAMPLES_DIR
                                                   "/ddp_rank1.pt.trace.json.gz --json")
                                          .output)["ranks"];
  for (auto& row : report["rows"]) row["verdict"] = nullptr;
  EXPECT_EQ(ranks["comparison"], report);
}

// With counter reports beside the recordings too: they have no traces of their own, and change no other document.
TEST(ServeTest, DocumentsWithCounterReportsEqualTheCommandLines) {
  const std::vector<std::string> timelines = {std::string(WARPSIGHT_TESTDATA_DIR) + "/two_kernels.json", kDecode};
  const std::string counters = std::string(WARPSIGHT_TESTDATA_DIR) + "/two_kernels.ncu-rep";
  const ServeProcess serve({"--port", "0", timelines[0], counters, timelines[1]});
  const Json state = serve.WaitUntilRead();
  EXPECT_EQ(state["traces"].size(), 2u);
  EXPECT_EQ(state["reports"][0]["status"], "ready");
  httplib::Client client = serve.Client();
  const auto document = [&](size_t trace, const char* verb, const char* query) {
    return client.Get(fmt::format("/api/v1/traces/{}/documents/{}{}", trace, verb, query))->body;
  };
  for (const auto& [options, query] : {std::pair("", ""), std::pair(" --range +1ms:+2ms", "?range=%2B1ms:%2B2ms")}) {
    for (size_t i = 0; i < timelines.size(); ++i) {
      const Said said = RunWarpsight(fmt::format("report {} {} --json{}", timelines[i], counters, options));
      EXPECT_EQ(document(i, "report", query), said.output) << timelines[i] << options;
      EXPECT_NE(said.output.find("\"matched\""), std::string::npos);
    }
    EXPECT_EQ(document(1, "roofline", query), RunWarpsight(fmt::format("roofline {} --json{}", kDecode, options)).output);
  }
  EXPECT_EQ(RunWarpsight(fmt::format("serve {} --port 0 --no-open", counters)).status, 4);
}

TEST(ServeTest, EveryAnswerHasTheHeadersThatKeepItFromOtherPages) {
  const ServeProcess serve({"--port", "0", kDecode});
  serve.WaitUntilRead();
  const std::string host = fmt::format("Host: 127.0.0.1:{}\r\n", serve.port());
  for (const std::string& request : std::vector<std::string>{
           "GET / HTTP/1.1\r\n" + host, "GET /api/v1/state HTTP/1.1\r\n" + host, "GET /none HTTP/1.1\r\n" + host,
           "GET /api/v1/state HTTP/1.1\r\nHost: evil.example\r\n", "POST / HTTP/1.1\r\n" + host, "nonsense\r\n",
           "GET /api/v1/state?" + std::string(9000, 'x') + " HTTP/1.1\r\n" + host}) {
    const std::string answer = serve.Raw(request + "Connection: close\r\n\r\n");
    const std::string first = request.substr(0, 60);
    EXPECT_NE(answer.find("Content-Security-Policy: default-src 'none'; script-src 'self'"), std::string::npos)
        << first << answer;
    EXPECT_NE(answer.find("X-Frame-Options: DENY"), std::string::npos) << first;
    EXPECT_NE(answer.find("X-Content-Type-Options: nosniff"), std::string::npos) << first;
    EXPECT_NE(answer.find("Referrer-Policy: no-referrer"), std::string::npos) << first;
    EXPECT_NE(answer.find("Cross-Origin-Resource-Policy: same-origin"), std::string::npos) << first;
    EXPECT_EQ(answer.find("Access-Control-"), std::string::npos) << first;
  }
}

TEST(ServeTest, OnlyThisMachineIsAnswered) {
  const ServeProcess serve({"--port", "0", kDecode});
  for (const std::string& host : {std::string("evil.example"), fmt::format("evil.example:{}", serve.port()),
                                  std::string("127.0.0.1"), std::string("localhost:1")}) {
    const std::string answer = serve.Raw("GET /api/v1/state HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(StatusOf(answer), 403) << host;
    EXPECT_EQ(answer.find("warpsight.state"), std::string::npos);
  }
  EXPECT_EQ(StatusOf(serve.Raw("GET /api/v1/state HTTP/1.0\r\n\r\n")), 403);
  EXPECT_EQ(
      StatusOf(serve.Raw(fmt::format("GET / HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\r\n", serve.port()))),
      200);
}

TEST(ServeTest, OnlyGetAndHeadAreAnswered) {
  const ServeProcess serve({"--port", "0", kDecode});
  serve.WaitUntilRead();
  const std::string host = fmt::format(" HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n", serve.port());
  for (const char* const method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"}) {
    const std::string answer = serve.Raw(std::string(method) + " /api/v1/state" + host + "\r\n");
    EXPECT_EQ(StatusOf(answer), 405) << method << answer;
    EXPECT_EQ(answer.find("warpsight.state"), std::string::npos);
  }
  EXPECT_GE(StatusOf(serve.Raw("TRACE /api/v1/state" + host + "\r\n")), 400);
  EXPECT_GE(StatusOf(serve.Raw("BREW /api/v1/state" + host + "\r\n")), 400);
  const std::string head = serve.Raw("HEAD /api/v1/state" + host + "\r\n");
  EXPECT_EQ(StatusOf(head), 200);
  EXPECT_EQ(head.find("warpsight.state"), std::string::npos);
  // What stands in a body is no request.
  const std::string inner = "GET /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
  const std::string keep =
      fmt::format("POST / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n",
                  serve.port(), inner.size());
  const std::string answer = serve.Raw(keep + inner);
  EXPECT_EQ(answer.find("HTTP/1.1", 8), std::string::npos) << answer;
}

TEST(ServeTest, NothingOnDiskIsReachable) {
  const ServeProcess serve({"--port", "0", kDecode});
  serve.WaitUntilRead();
  for (const char* const target :
       {"/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/etc/passwd", "//etc/passwd", "/..%2f..%2fetc/passwd",
        "/api/v1/traces/..%2f..%2fetc%2fpasswd/tracks", "/api/v1/traces/0/../0/tracks",
        "/examples/decode_b1.pt.trace.json.gz", "/index.html%00", "/.", "/?../../etc/passwd/.."}) {
    const std::string answer = serve.RawGet(target);
    EXPECT_TRUE(StatusOf(answer) == 404 || (StatusOf(answer) == 200 && target[1] == '?')) << target << answer;
    EXPECT_EQ(answer.find("root:"), std::string::npos);
  }
}

TEST(ServeTest, WithListenATokenIsAskedFor) {
  const ServeProcess serve({"--port", "0", "--listen", "127.0.0.1", kDecode});
  const size_t at = serve.url().find("/?token=");
  ASSERT_NE(at, std::string::npos) << serve.url();
  const std::string token = serve.url().substr(at + 8);
  EXPECT_EQ(token.size(), 32u);
  const std::string refused = serve.RawGet("/api/v1/state");
  EXPECT_EQ(StatusOf(refused), 401);
  EXPECT_EQ(refused.find(token), std::string::npos);
  EXPECT_EQ(StatusOf(serve.RawGet("/")), 401);
  EXPECT_EQ(StatusOf(serve.RawGet("/api/v1/state?token=" + std::string(32, '0'))), 401);
  EXPECT_EQ(StatusOf(serve.RawGet("/api/v1/state", "Authorization: Bearer " + token + "\r\n")), 200);
  EXPECT_EQ(StatusOf(serve.RawGet("/api/v1/state?token=" + token)), 200);
  const std::string page = serve.RawGet("/?a=1&token=" + token);
  EXPECT_EQ(StatusOf(page), 303);
  EXPECT_NE(page.find("Location: /?a=1\r\n"), std::string::npos) << page;
  const std::string cookie = fmt::format("warpsight_{}={}", serve.port(), token);
  EXPECT_NE(page.find("Set-Cookie: " + cookie + "; HttpOnly; SameSite=Strict; Path=/"), std::string::npos) << page;
  EXPECT_EQ(StatusOf(serve.RawGet("/", "Cookie: " + cookie + "\r\n")), 200);
  // By whatever name the machine is found.
  EXPECT_EQ(StatusOf(serve.Raw("GET / HTTP/1.1\r\nHost: node7\r\nConnection: close\r\nCookie: " + cookie + "\r\n\r\n")),
            200);
}

TEST(ServeTest, ATakenPortIsRefusedAndTheUsualOneIsPassedOver) {
  const ServeProcess first({"--port", "0", kDecode});
  ServeProcess second({"--port", std::to_string(first.port()), kDecode});
  EXPECT_EQ(second.Wait(), 2);
  EXPECT_EQ(second.url(), "");
  const ServeProcess third({kDecode});
  const ServeProcess fourth({kDecode});
  EXPECT_NE(third.port(), fourth.port());
  EXPECT_EQ(StatusOf(third.RawGet("/api/v1/state")), 200);
  EXPECT_EQ(StatusOf(fourth.RawGet("/api/v1/state")), 200);
}

TEST(ServeTest, FilesThatAreNotThereAndFilesThatAreNoTraces) {
  EXPECT_EQ(RunWarpsight("serve /nonexistent.json --no-open --port 0").status, 3);
  EXPECT_EQ(RunWarpsight("serve /tmp --no-open --port 0").status, 3);
  EXPECT_EQ(RunWarpsight("serve - --no-open --port 0").status, 2);
  EXPECT_EQ(RunWarpsight("serve --no-open --port 0").status, 2);
  EXPECT_EQ(RunWarpsight("serve --port 70000 " + kDecode).status, 2);
  EXPECT_EQ(RunWarpsight("serve --listen 999.1.1.1 --port 0 --no-open " + kDecode).status, 2);
  const ServeProcess serve({"--port", "0", WARPSIGHT_EXAMPLES_DIR "/../README.md", kDecode});
  const Json state = serve.WaitUntilRead();
  EXPECT_EQ(state["traces"][0]["status"], "failed");
  EXPECT_NE(state["traces"][0]["error"], nullptr);
  EXPECT_EQ(state["traces"][1]["status"], "ready");
  EXPECT_EQ(StatusOf(serve.RawGet("/api/v1/traces/0/tracks")), 422);
}

// A file that never ends: it is being read while the server answers, and is no reason to stay.
TEST(ServeTest, AnswersWhileAFileIsRead) {
  const TemporaryFolder folder;
  const std::string pipe = folder.File("pipe.json");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  ServeProcess serve({"--port", "0", pipe});
  std::ofstream writer(pipe);
  writer << "{\"traceEvents\": [" << std::flush;
  const std::string state = serve.RawGet("/api/v1/state");
  EXPECT_NE(state.find("\"status\":\"reading\""), std::string::npos) << state;
  EXPECT_EQ(StatusOf(serve.RawGet("/")), 200);
  EXPECT_EQ(StatusOf(serve.RawGet("/api/v1/traces/0/tracks")), 409);
  EXPECT_EQ(serve.End(SIGTERM), 0);
}

TEST(ServeTest, BrokenRequestsHarmNobody) {
  const ServeProcess serve({"--port", "0", kDecode});
  serve.WaitUntilRead();
  std::mt19937 random(4);
  std::vector<std::thread> clients;
  for (int i = 0; i < 40; ++i) {
    std::string bytes(random() % 3000, ' ');
    for (char& c : bytes) c = static_cast<char>(random());
    if (i % 2 == 0) bytes = "GET /api/v1/traces/0/tile?" + bytes;
    if (i % 4 == 0) bytes += " HTTP/1.1\r\nHost: x\r\n\r\n";
    clients.emplace_back([&serve, bytes] { serve.Raw(bytes); });
  }
  for (std::thread& client : clients) client.join();
  const std::string many = serve.RawGet("/api/v1/traces/0/tracks", "Range: bytes=0-1,0-1,0-1,0-1,0-1,0-1,0-1,0-1\r\n");
  EXPECT_EQ(StatusOf(many), 400);
  EXPECT_EQ(StatusOf(serve.RawGet("/api/v1/state")), 200);
}

// 50 clients at once, for a few seconds (WARPSIGHT_LOAD_SECONDS, WARPSIGHT_LOAD_TRACE for another load): no error, and
// memory stays where it is.
TEST(ServeTest, FiftyClientsAtOnce) {
  const char* const asked = std::getenv("WARPSIGHT_LOAD_SECONDS");
  const int seconds = asked != nullptr ? std::atoi(asked) : 3;
  const char* const file = std::getenv("WARPSIGHT_LOAD_TRACE");
  const ServeProcess serve({"--port", "0", file != nullptr ? file : kDecode});
  serve.WaitUntilRead();
  const Json tracks = Json::parse(serve.Client().Get("/api/v1/traces/0/tracks")->body);
  const int64_t start = tracks["start_ns"];
  const int64_t end = tracks["end_ns"];
  std::atomic<int64_t> answers = 0;
  std::atomic<int64_t> errors = 0;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  const auto load = [&](unsigned seed) {
    std::mt19937 random(seed);
    httplib::Client client = serve.Client();
    while (std::chrono::steady_clock::now() < until) {
      std::string path;
      const int64_t from = start + static_cast<int64_t>(random()) % (end - start);
      switch (random() % 20) {
        case 0:
          path = "search?q=mm&limit=20";
          break;
        case 1:
          path = fmt::format("event?kind=gpu&row={}", random() % 2000);
          break;
        case 2:
          path = fmt::format("documents/kernels?range={}:{}", from, from + 10'000'000);
          break;
        case 3:
          path = "tracks";
          break;
        default:
          path = fmt::format("tile?track={}&start={}&end={}&px=1500", random() % 4, from, from + 1 + random() % 50'000'000);
      }
      const auto answer = client.Get(("/api/v1/traces/0/" + path).c_str());
      ++answers;
      if (!answer || answer->status != 200) ++errors;
    }
  };
  const auto run = [&] {
    std::vector<std::thread> clients;
    for (unsigned i = 0; i < 50; ++i) clients.emplace_back(load, i);
    for (std::thread& client : clients) client.join();
  };
  // By then what is kept of documents is kept.
  int64_t kb_at_half = 0;
  std::thread watch([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(seconds * 500));
    kb_at_half = serve.resident_kb();
  });
  run();
  watch.join();
  const int64_t kb_at_end = serve.resident_kb();
  std::printf("%lld answers in %d s, %lld errors, %lld -> %lld kB\n", static_cast<long long>(answers), seconds,
              static_cast<long long>(errors), static_cast<long long>(kb_at_half), static_cast<long long>(kb_at_end));
  EXPECT_EQ(errors, 0);
  EXPECT_GT(answers, 50);
#ifndef WARPSIGHT_SANITIZED
  EXPECT_LT(kb_at_end, kb_at_half + 40'000);
#endif
}

}  // namespace
}  // namespace warpsight::serve_test
