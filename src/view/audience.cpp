#include "view/audience.h"

#include <algorithm>

namespace sinew::view {

void Audience::attach(Listener& listener) {
  const std::lock_guard lock(mutex_);
  seats_.push_back({&listener, false});
  count_++;
  new_++;
}

void Audience::detach(Listener& listener) {
  const std::lock_guard lock(mutex_);
  const auto seat = std::ranges::find(seats_, &listener, &Seat::listener);
  if (seat == seats_.end()) return;
  if (!seat->greeted) new_--;
  count_--;
  seats_.erase(seat);
}

void Audience::greet(const std::function<void(Listener&)>& welcome) {
  const std::lock_guard lock(mutex_);
  for (Seat& seat : seats_) {
    if (seat.greeted) continue;
    welcome(*seat.listener);
    seat.greeted = true;
    new_--;
  }
}

void Audience::text(const Text& message) {
  const std::lock_guard lock(mutex_);
  for (const Seat& seat : seats_)
    if (seat.greeted) seat.listener->text(message);
}

void Audience::rows(const Rows& message) {
  if (!message) return;
  const std::lock_guard lock(mutex_);
  for (const Seat& seat : seats_)
    if (seat.greeted) seat.listener->rows(message);
}

}  // namespace sinew::view
