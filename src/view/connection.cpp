#include "view/connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "view/client.h"
#include "view/hub.h"

namespace sinew::view {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;

std::string_view view_of(beast::string_view text) { return {text.data(), text.size()}; }

constexpr std::size_t piece_bytes = 64 * 1024;

// The page holds its scripts, styles and WebAssembly in itself and asks no one but us.
std::string content_policy(std::string_view host) {
  return fmt::format(
      "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; "
      "style-src 'unsafe-inline'; img-src 'self' blob: data:; font-src data:; "
      "connect-src 'self' ws://{} blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      host);
}

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string source_json(const Hub& hub) {
  if (hub.content.study) return json_text({{"kind", "study"}, {"url", "/api/study"}});
  if (hub.content.source) return json_text({{"kind", "live"}});
  if (!hub.content.recording.empty())
    return json_text({{"kind", "recording"},
                      {"name", std::filesystem::path(hub.content.recording).filename().string()},
                      {"url", "/recording.h5"}});
  return json_text({{"kind", hub.opened ? "live" : "none"}});
}

// What a path stands for: a file, or a text of ours that needs no copy, or one made for the occasion.
struct Found {
  const char* type;
  std::string file;
  std::string_view kept;
  std::string made;
};

std::optional<Found> find(const Hub& hub, std::string_view path) {
  if (path == "/") return Found{.type = "text/html; charset=utf-8", .file = {}, .kept = hub.content.page, .made = {}};
  if (path == "/api/source") return Found{"application/json", {}, {}, source_json(hub)};
  if (path == "/api/scenarios") return Found{"application/json", {}, {}, hub.content.scenarios()};
  if (path == "/api/study" && hub.content.study) return Found{"application/json", {}, {}, hub.content.study()};
  if (path == "/recording.h5" && !hub.content.recording.empty())
    return Found{"application/x-hdf5", hub.content.recording, {}, {}};
  constexpr std::string_view before = "/pictures/", after = ".webp";
  if (path.starts_with(before) && path.ends_with(after) && path.size() > before.size() + after.size()) {
    const auto name = path.substr(before.size(), path.size() - before.size() - after.size());
    if (const auto picture = hub.content.pictures.find(std::string(name)); picture != hub.content.pictures.end())
      return Found{"image/webp", picture->second, {}, {}};
  }
  return std::nullopt;
}

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Hub& hub, boost::asio::ip::tcp::socket socket) : hub_(hub), stream_(std::move(socket)) {
    hub_.connections++;
  }
  ~Connection() { hub_.connections--; }
  void read();

 private:
  using Request = http::request<http::empty_body>;
  void answer();
  std::optional<std::pair<http::status, std::string>> objection() const;
  void answer_live();
  void refuse(http::status status, const std::string& why);
  void send_text(http::status status, const char* type, std::string_view text);
  void send_file(const Found& found);
  void send(http::status status, const char* type, std::uint64_t size);
  std::string_view next_piece();
  void write();
  void end();
  void drain();

  Hub& hub_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  Request request_;
  std::string text_;  // of the answer, if it had to be made
  std::string head_, piece_;
  std::string_view text_left_;
  std::ifstream file_;
  std::uint64_t file_left_ = 0;
  bool is_last_ = false;
};

// Only the head of a request is read; whoever sends a body is answered and left.
void Connection::read() {
  parser_.emplace();
  parser_->header_limit(std::uint32_t(hub_.limits.header_bytes));
  stream_.expires_after(hub_.limits.patience);
  http::async_read_header(
      stream_, buffer_, *parser_, [self = shared_from_this()](beast::error_code error, std::size_t) {
        if (error == http::error::end_of_stream) return self->end();
        self->is_last_ = bool(error) || !self->parser_->is_done() || !self->parser_->keep_alive();
        self->request_ = self->parser_->get();
        if (error == http::error::header_limit)
          return self->refuse(http::status::request_header_fields_too_large, "the request's head is too long");
        if (error.category() == make_error_code(http::error::bad_method).category())
          return self->refuse(http::status::bad_request, "this is not HTTP");
        if (!error) self->answer();
      });
}

// Why this request is not for us; nothing: it is.
std::optional<std::pair<http::status, std::string>> Connection::objection() const {
  const std::string_view host = view_of(request_[http::field::host]);
  if (request_.count(http::field::host) != 1 || !host_is_ours(hub_.guard, host))
    return {{http::status::forbidden, "the request names another host: use the address that sinew printed"}};
  const std::size_t origins = request_.count(http::field::origin);
  if (origins > 1 || (origins == 1 && !origin_is_ours(view_of(request_[http::field::origin]), host)))
    return {{http::status::forbidden, "requests of other pages are not answered"}};
  if (!token_is_right(hub_.guard, view_of(request_.target())))
    return {{http::status::forbidden, "the address needs its token: use the one that sinew printed"}};
  if (request_.method() != http::verb::get && request_.method() != http::verb::head)
    return {{http::status::method_not_allowed, "only GET and HEAD are answered"}};
  return std::nullopt;
}

void Connection::answer() {
  if (const auto problem = objection()) return refuse(problem->first, problem->second);
  const std::string_view target = view_of(request_.target());
  const std::string path(target.substr(0, target.find('?')));
  if (path == "/live") return answer_live();
  try {
    auto found = find(hub_, path);
    if (!found) return refuse(http::status::not_found, "there is nothing of this name");
    if (!found->file.empty()) return send_file(*found);
    text_ = std::move(found->made);
    send_text(http::status::ok, found->type, text_.empty() ? found->kept : std::string_view(text_));
  } catch (const std::exception& e) {
    refuse(http::status::internal_server_error, e.what());
  }
}

void Connection::answer_live() {
  if (!beast::websocket::is_upgrade(request_)) {
    is_last_ = true;
    return refuse(http::status::upgrade_required, "this is a WebSocket");
  }
  if (request_.count(http::field::origin) != 1)
    return refuse(http::status::forbidden, "a WebSocket needs an Origin: ours");
  if (hub_.is_ending || int(hub_.clients.size()) >= hub_.limits.clients)
    return refuse(http::status::service_unavailable, "too many pages look already: close one");
  start_client(hub_, std::move(stream_), request_);
}

void Connection::refuse(http::status status, const std::string& why) {
  text_ = fmt::format("{}: {}\n", unsigned(status), why);
  send_text(status, "text/plain; charset=utf-8", text_);
}

void Connection::send_text(http::status status, const char* type, std::string_view text) {
  text_left_ = text;
  send(status, type, text.size());
}

// As long as the file is now: one that grows is sent as it stands.
void Connection::send_file(const Found& found) {
  std::error_code error;
  const auto size = std::filesystem::file_size(found.file, error);
  file_ = std::ifstream(found.file, std::ios::binary);
  if (error || !file_) return refuse(http::status::not_found, "the file cannot be read any more");
  file_left_ = size;
  send(http::status::ok, found.type, size);
}

// The head; what text_left_ and file_left_ say follows it.
void Connection::send(http::status status, const char* type, std::uint64_t size) {
  head_ = fmt::format("HTTP/1.1 {} {}\r\n", unsigned(status), view_of(http::obsolete_reason(status)));
  const auto add = [&](const char* name, std::string_view value) { head_ += fmt::format("{}: {}\r\n", name, value); };
  add("Content-Type", type);
  add("Content-Length", std::to_string(size));
  add("Cache-Control", "no-store");
  add("X-Content-Type-Options", "nosniff");
  add("Referrer-Policy", "no-referrer");  // the token is nobody's business
  add("Cross-Origin-Resource-Policy", "same-origin");
  add("Content-Security-Policy",
      status == http::status::ok ? content_policy(view_of(request_[http::field::host])) : "default-src 'none'");
  if (status == http::status::method_not_allowed) add("Allow", "GET, HEAD");
  if (status == http::status::upgrade_required) add("Upgrade", "websocket");
  add("Connection", is_last_ ? "close" : "keep-alive");
  head_ += "\r\n";
  if (request_.method() == http::verb::head) {
    text_left_ = {};
    file_left_ = 0;
  }
  write();
}

// The next bytes of the answer; none: it is out. A file that has become shorter ends the connection.
std::string_view Connection::next_piece() {
  if (!head_.empty()) {
    piece_ = std::exchange(head_, {});
    return piece_;
  }
  if (!text_left_.empty()) {
    const std::string_view piece = text_left_.substr(0, piece_bytes);
    text_left_.remove_prefix(piece.size());
    return piece;
  }
  piece_.resize(std::size_t(std::min<std::uint64_t>(file_left_, piece_bytes)));
  file_.read(piece_.data(), std::streamsize(piece_.size()));
  if (file_.gcount() < std::streamsize(piece_.size())) {
    is_last_ = true;
    piece_.clear();
  }
  file_left_ -= piece_.size();
  return piece_;
}

// Piece by piece: a long file may take long, but each piece must find a reader.
void Connection::write() {
  const std::string_view piece = next_piece();
  if (piece.empty()) {
    file_ = {};
    return is_last_ ? end() : read();
  }
  stream_.expires_after(hub_.limits.patience);
  boost::asio::async_write(stream_, boost::asio::buffer(piece.data(), piece.size()),
                           [self = shared_from_this()](beast::error_code error, std::size_t) {
                             if (!error) self->write();  // else: gone, or too slow
                           });
}

// What still comes in is thrown away until the other side has seen the answer: to close at once would take it back.
void Connection::end() {
  beast::error_code ignored;
  stream_.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
  stream_.expires_after(std::min<std::chrono::milliseconds>(hub_.limits.patience, std::chrono::seconds(1)));
  drain();
}

void Connection::drain() {
  buffer_.clear();
  stream_.async_read_some(buffer_.prepare(4096), [self = shared_from_this()](beast::error_code error, std::size_t) {
    if (!error) self->drain();  // the time limit is that of end()
  });
}

}  // namespace

void start_connection(Hub& hub, boost::asio::ip::tcp::socket socket) {
  std::make_shared<Connection>(hub, std::move(socket))->read();
}

}  // namespace sinew::view
