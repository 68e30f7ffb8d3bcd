// Client: a page that looks at what is being computed, at the other end of a WebSocket.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>

namespace sinew::view {

struct Hub;

using Upgrade = boost::beast::http::request<boost::beast::http::empty_body>;

// Takes over a connection whose request has been found good.
void start_client(Hub& hub, boost::beast::tcp_stream stream, const Upgrade& request);

// The hub is ending, or has a source now.
void end_clients(Hub& hub);
void detach_clients(Hub& hub);

}  // namespace sinew::view
