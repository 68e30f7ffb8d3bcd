#include "sinew/batch/pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace sinew {

struct Pool::Shared {
  std::mutex mutex;
  std::condition_variable begins, ends;
  const std::function<void(int, int)>* work = nullptr;
  int pieces = 0, busy = 0;
  long round = 0;
  bool stops = false;
  std::atomic<int> next = 0;
  std::exception_ptr thrown;
  std::vector<std::thread> threads;

  void take_pieces(int thread) {
    for (int piece = next++; piece < pieces; piece = next++) {
      try {
        (*work)(piece, thread);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!thrown) thrown = std::current_exception();
      }
    }
  }

  void serve(int thread) {
    long done = 0;
    std::unique_lock lock(mutex);
    for (;;) {
      begins.wait(lock, [&] { return stops || round != done; });
      if (stops) return;
      done = round;
      lock.unlock();
      take_pieces(thread);
      lock.lock();
      if (--busy == 0) ends.notify_one();
    }
  }

  void end() {
    {
      const std::lock_guard lock(mutex);
      stops = true;
    }
    begins.notify_all();
    for (std::thread& thread : threads) thread.join();
  }
};

Pool::Pool(int threads) : shared_(std::make_unique<Shared>()), threads_(threads) {
  if (threads_ <= 0) threads_ = std::max(1, int(std::thread::hardware_concurrency()));
  try {
    for (int i = 1; i < threads_; i++) shared_->threads.emplace_back([s = shared_.get(), i] { s->serve(i); });
  } catch (const std::system_error&) {  // this machine has no more: those that it gave do the work
    threads_ = int(shared_->threads.size()) + 1;
  } catch (...) {
    shared_->end();
    throw;
  }
}

Pool::~Pool() { shared_->end(); }

void Pool::run(int pieces, const std::function<void(int, int)>& work) {
  Shared& s = *shared_;
  {
    const std::lock_guard lock(s.mutex);
    s.work = &work;
    s.pieces = pieces;
    s.next = 0;
    s.thrown = nullptr;
    s.busy = int(s.threads.size());
    s.round++;
  }
  if (!s.threads.empty()) s.begins.notify_all();
  s.take_pieces(0);
  std::unique_lock lock(s.mutex);
  s.ends.wait(lock, [&] { return s.busy == 0; });
  if (s.thrown) std::rethrow_exception(s.thrown);
}

}  // namespace sinew
