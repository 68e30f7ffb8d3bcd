#include "view/client.h"

#include <boost/asio/post.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>
#include <cstring>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>

#include "view/hub.h"

namespace sinew::view {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

namespace {

std::string error_text(const std::string& what) {
  return Json{{"type", "error"}, {"what", what}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::uint32_t rows_in(const Rows& message) {
  std::uint32_t n = 0;
  if (message->size() >= 8) std::memcpy(&n, message->data() + 4, sizeof n);
  return n;
}

// A `state` tells a page also what was left out for it alone.
Text with_dropped(const Text& message, std::uint64_t dropped) {
  constexpr std::size_t longest = 1000;  // others are longer, and dear to parse
  if (dropped == 0 || message->size() > longest) return message;
  Json json = Json::parse(*message, nullptr, false);
  if (!json.is_object() || json.value("type", Json()) != "state") return message;
  const Json before = json.value("dropped", Json(0));
  json["dropped"] = dropped + (before.is_number_unsigned() ? before.get<std::uint64_t>() : 0);
  return std::make_shared<const std::string>(json.dump());
}

}  // namespace

class Client : public Listener, public std::enable_shared_from_this<Client> {
 public:
  Client(Hub& hub, beast::tcp_stream stream) : hub_(hub), socket_(std::move(stream)) {}

  void start(const Upgrade& request);
  void leave();
  void pump();
  void attach();
  void detach();

  void text(const Text& message) override;
  void rows(const Rows& message) override;

 private:
  void read();
  void received();
  std::string answer(const std::string& request);
  std::string open(const std::string& request);
  bool is_too_much();
  void close_flood() { close(websocket::close_code::policy_error, "too many messages"); }
  void close(websocket::close_code code, const char* why);
  void wake();

  Hub& hub_;
  websocket::stream<beast::tcp_stream> socket_;
  beast::flat_buffer incoming_;
  Text text_out_;  // being written
  Rows rows_out_;
  bool is_writing_ = false, is_closing_ = false, is_attached_ = false, is_in_ = false, is_pushing_ = false;
  Clock::time_point second_;  // in which `count_` messages came
  int count_ = 0;

  // What the source's thread leaves for ours. Of rows only the newest wait: a page that is slow misses some, and sees the last.
  std::mutex mutex_;
  std::deque<Text> texts_;
  Rows newest_;
  std::uint64_t dropped_ = 0;
  bool is_woken_ = false, is_overfull_ = false;
};

void Client::start(const Upgrade& request) {
  websocket::stream_base::timeout timeout{};
  timeout.handshake_timeout = hub_.limits.patience;
  timeout.idle_timeout = hub_.limits.silence;
  timeout.keep_alive_pings = true;
  socket_.set_option(timeout);
  socket_.read_message_max(hub_.limits.message_bytes);
  socket_.auto_fragment(false);
  socket_.control_callback([this](websocket::frame_type, beast::string_view) {  // pings count too
    if (!is_too_much()) return;
    boost::asio::post(socket_.get_executor(), [self = shared_from_this()] { self->close_flood(); });
  });
  beast::get_lowest_layer(socket_).expires_never();  // the WebSocket has timeouts of its own
  hub_.clients.insert(this);
  hub_.client_count++;
  is_in_ = true;
  socket_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
    if (error) return self->leave();
    if (self->hub_.source()) self->attach();
    self->read();
    self->pump();
  });
}

void Client::attach() {
  if (is_attached_ || is_closing_ || !socket_.is_open()) return;
  is_attached_ = true;
  hub_.source()->attach(*this);
}

// A robot is not pulled on for ever by a page that is gone.
void Client::detach() {
  if (!is_attached_) return;
  if (is_pushing_) hub_.source()->request(R"({"type":"release"})");
  hub_.source()->detach(*this);
  is_attached_ = is_pushing_ = false;
}

// Nothing more comes from the source, and nothing goes out.
void Client::leave() {
  detach();
  if (is_in_) {
    hub_.clients.erase(this);
    hub_.client_count--;
  }
  is_in_ = false;
  beast::get_lowest_layer(socket_).close();
}

void Client::read() {
  incoming_.clear();
  socket_.async_read(incoming_, [self = shared_from_this()](beast::error_code error, std::size_t) {
    // An oversized message, bytes that are no WebSocket, words that are no UTF-8: Beast says goodbye by itself.
    if (error) return self->leave();
    self->received();
  });
}

void Client::received() {
  if (is_closing_) return read();  // until the other side agrees
  if (is_too_much()) {
    close_flood();
  } else if (!socket_.got_text()) {
    close(websocket::close_code::unknown_data, "requests are text");
  } else if (const std::string reply = answer(beast::buffers_to_string(incoming_.data())); !reply.empty()) {
    text(std::make_shared<const std::string>(reply));
  }
  read();
}

std::string Client::answer(const std::string& request) {
  try {
    if (!hub_.source()) return open(request);
    const std::string error = hub_.source()->request(request);
    if (const Json json = Json::parse(request, nullptr, false); error.empty() && json.is_object())
      if (const Json type = json.value("type", Json()); type == "push" || type == "release")
        is_pushing_ = type == "push";
    return error;
  } catch (const std::exception& e) {
    return error_text(e.what());
  }
}

// The first scenario that a page asks for, where nothing runs yet.
std::string Client::open(const std::string& request) {
  const Json json = Json::parse(request, nullptr, false);
  const bool is_load = json.is_object() && json.value("type", Json()) == "load" && json.contains("scenario") &&
                       json["scenario"].is_string();
  if (!is_load || !hub_.content.open) return error_text("nothing runs here: load a scenario first");
  hub_.opened = hub_.content.open(json["scenario"].get<std::string>());
  for (Client* client : hub_.clients) client->attach();
  return {};
}

bool Client::is_too_much() {
  const auto now = Clock::now();
  if (now - second_ >= std::chrono::seconds(1)) {
    second_ = now;
    count_ = 0;
  }
  return ++count_ > hub_.limits.messages_per_second;
}

void Client::close(websocket::close_code code, const char* why) {
  if (is_closing_) return;
  is_closing_ = true;
  detach();
  socket_.async_close({code, why}, [self = shared_from_this()](beast::error_code) { self->leave(); });
}

void Client::text(const Text& message) {
  const std::lock_guard lock(mutex_);
  if (texts_.size() >= hub_.limits.waiting_texts)
    is_overfull_ = true;
  else
    texts_.push_back(message);
  wake();
}

void Client::rows(const Rows& message) {
  const std::lock_guard lock(mutex_);
  if (newest_) dropped_ += rows_in(newest_);
  newest_ = message;
  wake();
}

// With the mutex held.
void Client::wake() {
  if (std::exchange(is_woken_, true)) return;
  boost::asio::post(socket_.get_executor(), [self = shared_from_this()] { self->pump(); });
}

// Writes the next message, if the last one is out.
void Client::pump() {
  bool is_hopeless;
  {
    const std::lock_guard lock(mutex_);
    is_woken_ = false;
    is_hopeless = is_overfull_;
    if (is_hopeless) {
      texts_.clear();
    } else if (is_writing_ || is_closing_ || !is_in_ || !socket_.is_open()) {
      return;
    } else if (!texts_.empty()) {
      text_out_ = with_dropped(texts_.front(), dropped_);
      texts_.pop_front();
    } else {
      rows_out_ = std::exchange(newest_, nullptr);
    }
  }
  if (is_hopeless) return leave();  // it would not read a goodbye either
  if (!text_out_ && !rows_out_) {
    if (hub_.is_ending) close(websocket::close_code::going_away, "the program ends");
    return;
  }
  is_writing_ = true;
  socket_.binary(rows_out_ != nullptr);
  const auto bytes = text_out_ ? boost::asio::buffer(*text_out_) : boost::asio::buffer(*rows_out_);
  socket_.async_write(bytes, [self = shared_from_this()](beast::error_code error, std::size_t) {
    self->is_writing_ = false;
    self->text_out_ = nullptr;
    self->rows_out_ = nullptr;
    if (error) return self->leave();
    self->pump();
  });
}

void start_client(Hub& hub, beast::tcp_stream stream, const Upgrade& request) {
  std::make_shared<Client>(hub, std::move(stream))->start(request);
}

void end_clients(Hub& hub) {
  hub.is_ending = true;
  const std::set<Client*> all = hub.clients;  // some leave at once
  for (Client* client : all) client->pump();
}

void detach_clients(Hub& hub) {
  const std::set<Client*> all = hub.clients;
  for (Client* client : all) client->leave();
}

}  // namespace sinew::view
