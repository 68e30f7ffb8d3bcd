// Pool: threads that take numbered pieces of work, whole ones, until none is left. Which thread takes which does not matter to what comes out.
#pragma once
#include <functional>
#include <memory>

namespace sinew {

class Pool {
 public:
  explicit Pool(int threads);  // with the caller's own; 0: one for each processor
  ~Pool();
  int threads() const { return threads_; }

  // work(piece, thread) for all pieces from 0 on; returns when all are done. The first exception is thrown here, when all have ended.
  void run(int pieces, const std::function<void(int piece, int thread)>& work);

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
  int threads_;
};

}  // namespace sinew
