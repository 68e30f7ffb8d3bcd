#include "view/server.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <thread>

#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"
#include "view/client.h"
#include "view/connection.h"
#include "view/hub.h"

namespace sinew::view {
namespace {

namespace net = boost::asio;
using net::ip::tcp;

constexpr int other_ports = 100;         // tried when the first is taken
constexpr int send_buffer = 256 * 1024;  // what a slow page may lag behind by, beside its own buffers

// Not for the browser that we start: it would keep the port.
void close_on_exec(int descriptor) { fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

[[noreturn]] void fail(const Address& address, unsigned port, const boost::system::error_code& error) {
  if (error == net::error::address_in_use)
    throw FileError(fmt::format("port {}: taken by another program: name another one, or leave --port out", port));
  if (error == net::error::access_denied)
    throw FileError(fmt::format("port {}: not allowed to this user: take one from 1024 on", port));
  throw FileError(fmt::format("{} port {}: cannot listen there: {}", address.ip, port, error.message()));
}

// Listens, or says why not.
boost::system::error_code try_port(tcp::acceptor& acceptor, const tcp::endpoint& place) {
  boost::system::error_code error;
  acceptor.open(place.protocol(), error);
  if (error) return error;
  close_on_exec(acceptor.native_handle());
  acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  acceptor.set_option(net::socket_base::send_buffer_size(send_buffer), error);  // connections inherit it
  acceptor.bind(place, error);
  if (!error) acceptor.listen(net::socket_base::max_listen_connections, error);
  boost::system::error_code ignored;
  if (error) acceptor.close(ignored);
  return error;
}

void listen(tcp::acceptor& acceptor, const Address& address) {
  boost::system::error_code error;
  const auto ip = net::ip::make_address(address.ip, error);
  if (error)
    throw InputError(fmt::format(
        "--listen {}: not an address: give it in numbers, as in 192.168.1.7; 0.0.0.0 is all of them", address.ip));
  const unsigned last = address.is_port_fixed || address.port == 0 ? address.port : address.port + other_ports;
  for (unsigned port = address.port; port <= last && port <= 65535; port++) {
    error = try_port(acceptor, {ip, std::uint16_t(port)});
    if (error != net::error::address_in_use) break;
  }
  if (error) fail(address, address.port, error);
}

}  // namespace

struct Server::Own {
  Hub hub;
  net::io_context io{1};  // goes before the hub, with all connections
  tcp::acceptor acceptor{io};
  net::steady_timer pause{io};
  std::thread thread;

  void accept();
};

void Server::Own::accept() {
  acceptor.async_accept([this](boost::system::error_code error, tcp::socket socket) {
    if (!acceptor.is_open()) return;
    if (!error) {
      close_on_exec(socket.native_handle());
      boost::system::error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      if (hub.connections < hub.limits.connections) start_connection(hub, std::move(socket));
      return accept();
    }
    pause.expires_after(std::chrono::milliseconds(100));  // out of descriptors, perhaps: others will leave
    pause.async_wait([this](boost::system::error_code stopped) {
      if (!stopped) accept();
    });
  });
}

Server::Server(const Address& address, Content content, const Limits& limits) : own_(std::make_unique<Own>()) {
  listen(own_->acceptor, address);
  own_->hub.content = std::move(content);
  own_->hub.guard = {address.ip, own_->acceptor.local_endpoint().port(), address.token};
  own_->hub.limits = limits;
  own_->accept();
  own_->thread = std::thread([this] { own_->io.run(); });
}

Server::~Server() {
  own_->io.stop();
  own_->thread.join();
  detach_clients(own_->hub);
}

std::string Server::url() const { return url_of(own_->hub.guard); }
std::uint16_t Server::port() const { return own_->hub.guard.port; }

void Server::finish(std::chrono::milliseconds at_most) {
  net::post(own_->io, [this] {
    boost::system::error_code ignored;
    own_->acceptor.close(ignored);
    end_clients(own_->hub);
  });
  const auto until = std::chrono::steady_clock::now() + at_most;
  while (own_->hub.client_count > 0 && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace sinew::view
