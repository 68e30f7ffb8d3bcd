// Connection: answers the requests that come over one socket, or hands it over to a Client.
#pragma once
#include <boost/asio/ip/tcp.hpp>

namespace sinew::view {

struct Hub;

void start_connection(Hub& hub, boost::asio::ip::tcp::socket socket);

}  // namespace sinew::view
