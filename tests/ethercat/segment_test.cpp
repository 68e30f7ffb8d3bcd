#include "sinew/ethercat/segment.h"

#include <gtest/gtest.h>

#include "sinew/math/counter_random.h"
#include "tests/ethercat/devices.h"

namespace sinew::ethercat {
namespace segment_test {

using test::Master;
using test::Octets;
using test::octets;
using test::operator+;

class SegmentOfDrives : public ::testing::Test {
 protected:
  void begin(int n, bool with_sensor = false) {
    segment_.emplace(test::drives(n, with_sensor));
    master_.emplace(test::wire_to(*segment_, now_));
    n_ = n + (with_sensor ? 1 : 0);
    ASSERT_EQ(master_->enumerate(), n_);
  }
  void operate() {
    ASSERT_EQ(master_->configure(n_), n_);
    ASSERT_TRUE(master_->go_operational(n_));
  }
  Master& master() { return *master_; }

  std::int64_t now_ = 5'000'000'000;
  int n_ = 0;
  std::optional<Segment> segment_;
  std::optional<Master> master_;
};

TEST_F(SegmentOfDrives, every_command_counts_as_the_standard_says) {
  begin(3);
  Master& m = master();
  const Octets two(2), word = octets(std::uint16_t(0x1234));
  EXPECT_EQ(m.send(Master::NOP, 0, two).counter, 0);
  EXPECT_EQ(m.send(Master::BRD, 0, 0x0000, two).counter, 3);
  EXPECT_EQ(m.send(Master::BWR, 0, 0x0420, word).counter, 3);
  EXPECT_EQ(m.send(Master::BRW, 0, 0x0420, word).counter, 9);
  EXPECT_EQ(m.send(Master::APRD, std::uint16_t(-1), 0x0000, two).counter, 1);
  EXPECT_EQ(m.send(Master::APRD, std::uint16_t(-3), 0x0000, two).counter, 0) << "there is no fourth slave";
  EXPECT_EQ(m.send(Master::APWR, std::uint16_t(-2), 0x0420, word).counter, 1);
  EXPECT_EQ(m.send(Master::APRW, std::uint16_t(-2), 0x0420, two).counter, 3);
  EXPECT_EQ(m.send(Master::FPRD, 0x1002, 0x0010, two).number(), 0x1002u);
  EXPECT_EQ(m.send(Master::FPRD, 0x1004, 0x0010, two).counter, 0);
  EXPECT_EQ(m.send(Master::FPWR, 0x1003, 0x0420, word).counter, 1);
  EXPECT_EQ(m.send(Master::FPRW, 0x1003, 0x0420, two).counter, 3);
  EXPECT_EQ(m.read(2, 0x0420, 2).number(), 0u) << "FPRW has written";
  m.write(0, 0x0420, word);
  EXPECT_EQ(m.send(Master::ARMW, 0, 0x0420, two).counter, 3) << "one is read, two are written";
  EXPECT_EQ(m.read(2, 0x0420, 2).number(), 0x1234u);
  EXPECT_EQ(m.send(Master::FRMW, 0x1001, 0x0420, two).counter, 3);
  EXPECT_EQ(m.send(Master::LRW, 0x10000, Octets(8)).counter, 0) << "nothing is mapped there";
  EXPECT_EQ(m.send(Master::FPWR, 0x1001, 0x0000, two).counter, 0) << "the type of a slave is not written";
  EXPECT_EQ(m.send(Master::FPRD, 0x1001, 0x1fff, two).counter, 0) << "beyond its memory";
}

TEST_F(SegmentOfDrives, addresses_by_place_and_by_alias) {
  begin(2);
  Octets frame = octets(std::uint16_t(0x100e)) + Octets{Master::BRD, 0} + octets(std::uint32_t(5)) +
                 octets(std::uint16_t(2)) + Octets(2 + 2 + 2);
  segment_->process(frame, now_);
  EXPECT_EQ(frame[4], 7) << "each slave counts the address on";
  Master& m = master();
  m.write(1, 0x0502, octets(std::uint16_t(0x0201)) + octets(std::uint32_t(4)) + octets(std::uint32_t(0x4242)));
  m.write(1, 0x0502, octets(std::uint16_t(0x0400)));
  EXPECT_EQ(m.read(1, 0x0012, 2).number(), 0x4242u);
  EXPECT_EQ(m.send(Master::FPRD, 0x4242, 0x0000, Octets(1)).counter, 0) << "the alias is not switched on";
  m.send(Master::BWR, 0, 0x0103, Octets{1});
  EXPECT_EQ(m.send(Master::FPRD, 0x4242, 0x0010, Octets(2)).number(), 0x1002u);
}

TEST_F(SegmentOfDrives, links_and_features_are_those_of_a_line_of_controllers) {
  begin(3);
  Master& m = master();
  EXPECT_EQ(m.read(0, 0x0110, 2).number() & 0x0f00u, 0x0a00u) << "ports 0 and 1 are open";
  EXPECT_EQ(m.read(2, 0x0110, 2).number() & 0x0f00u, 0x0600u) << "nothing behind the last";
  EXPECT_EQ(m.read(0, 0x0004, 2).number(), 0x0404u) << "FMMUs, sync managers";
  EXPECT_EQ(m.read(0, 0x0008, 2).number() & 0x0cu, 0x0cu) << "a clock of 64 bits";
}

TEST_F(SegmentOfDrives, thirty_two_drives_and_a_sensor_go_operational_with_full_counters) {
  begin(32, true);
  operate();
  EXPECT_EQ(master().expected_counter(), 32 * 3 + 1);
  const std::int64_t before = segment_->exchanges();
  for (int i = 0; i < 5; i++) EXPECT_EQ(master().cycle(), 32 * 3 + 1);
  EXPECT_EQ(segment_->exchanges() - before, 5) << "one for each LRW";
  const auto& place = master().places[31];
  EXPECT_EQ(place.n_outputs, 16u);
  EXPECT_EQ(place.n_inputs, 20u);
}

TEST_F(SegmentOfDrives, bits_are_mapped_one_by_one) {
  begin(2);
  for (int s = 0; s < 2; s++) {  // the flag of the full mailbox of each, into bits 0 and 1 of one byte
    master().set_mailboxes(s);
    master().ask_state(s, 0x12);
    const std::uint8_t bit = std::uint8_t(s);
    master().write(s, 0x0620,
                   octets(std::uint32_t(0x800)) + octets(std::uint16_t(1)) + Octets{bit, bit} +
                       octets(std::uint16_t(0x080d)) + Octets{3, 1, 1, 0, 0, 0});
  }
  EXPECT_EQ(master().send(Master::LRD, 0x800, Octets(1)).counter, 2);
  EXPECT_EQ(master().send(Master::LRD, 0x800, Octets(1)).data[0], 0);
  Octets request = octets(std::uint16_t(10)) + Octets{0, 0, 0, 0x13} + octets(std::uint16_t(0x2000)) +
                   Octets{0x40, 0, 0x10, 0, 0, 0, 0, 0};
  request.resize(128);
  master().write(1, 0x1000, request);
  EXPECT_EQ(master().send(Master::LRD, 0x800, Octets(1)).data[0], 2) << "the second slave has an answer";
}

TEST_F(SegmentOfDrives, clocks_latch_arrivals_and_follow_their_offsets) {
  begin(3);
  Master& m = master();
  m.send(Master::BWR, 0, 0x0900, Octets(4));
  std::uint32_t out[3], back[3];
  for (int s = 0; s < 3; s++) {
    out[s] = m.read(s, 0x0900, 4).number();
    back[s] = m.read(s, 0x0904, 4).number();
  }
  EXPECT_EQ(back[0] - out[0], 2000u) << "to the last one and back, 500 ns a hop";
  EXPECT_EQ(back[1] - out[1], 1000u);
  EXPECT_EQ(back[2], 0u) << "nothing comes back to the last one";
  for (int s = 0; s < 3; s++) {  // all to the master's time 0 of that moment
    const Octets received = m.read(s, 0x0918, 8).data;
    std::uint64_t local = 0;
    for (int i = 7; i >= 0; i--) local = local << 8 | received[std::size_t(i)];
    m.write(s, 0x0920, octets(std::uint64_t(0) - local));
  }
  now_ += 1'000'000;
  EXPECT_EQ(m.read(0, 0x0910, 4).number(), 1'000'000u);
  EXPECT_EQ(m.send(Master::FRMW, 0x1001, 0x0910, Octets(4)).counter, 3);
  EXPECT_LE(m.read(2, 0x092c, 4).number() & 0x7fffffffu, 1000u) << "but for the time between the slaves";
}

TEST_F(SegmentOfDrives, frames_that_are_cut_or_no_ethercat_change_nothing) {
  begin(1);
  Octets frame = octets(std::uint16_t(0x100e)) + Octets{Master::BRD, 0} + octets(std::uint32_t(0)) +
                 octets(std::uint16_t(2)) + Octets(6);
  for (std::size_t n = 0; n < frame.size(); n++) {
    Octets cut(frame.begin(), frame.begin() + std::ptrdiff_t(n));
    const Octets before = cut;
    EXPECT_FALSE(segment_->process(cut, now_)) << n;
    EXPECT_EQ(cut, before);
  }
  Octets other = frame;
  other[1] = 0x40;
  EXPECT_FALSE(segment_->process(other, now_)) << "no datagrams by its type";
  EXPECT_TRUE(segment_->process(frame, now_));
}

// ---- harm

std::uint64_t draw(std::uint64_t stream, std::uint64_t n) {
  return math::random_bits({1, 0, std::uint32_t(stream), n})[0];
}

TEST_F(SegmentOfDrives, a_million_random_frames_do_no_harm) {
  begin(3, true);
  operate();
  Octets frame(60);
  for (std::uint64_t i = 0; i < 1'000'000; i++) {
    const std::size_t n = 14 + draw(1, i) % 46;
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < n; k++) {
      if (k % 8 == 0) bits = draw(2, 8 * i + k / 8);
      frame[k] = std::uint8_t(bits >> (8 * (k % 8)));
    }
    const std::uint64_t kind = draw(3, i);
    if (kind % 16 != 0) {  // a datagram that is one, at a place where things happen
      static constexpr std::uint16_t places[] = {0x0120, 0x0502, 0x0600, 0x0800, 0x0810,
                                                 0x0910, 0x0980, 0x1000, 0x1080};
      const std::uint16_t size = std::uint16_t((kind >> 8) % (n - 13));
      put(frame.data(), std::uint16_t(0x1000 | (size + 12)));
      frame[2] = std::uint8_t((kind >> 16) % 15);
      put(frame.data() + 8, size);
      if (kind % 2) put(frame.data() + 4, std::uint16_t(0x1001 + (kind >> 24) % 4));
      if (kind % 3) put(frame.data() + 6, places[(kind >> 32) % 9]);
    }
    segment_->process({frame.data(), n}, now_ + std::int64_t(i) * 1000);
  }
  now_ += 1'000'000'000'000;
  for (const Slave& s : segment_->slaves()) EXPECT_TRUE(s.state == 1 || s.state == 2 || s.state == 4 || s.state == 8);
  ASSERT_EQ(master().enumerate(), 4) << "and a master can begin anew";
  master().send(Master::BWR, 0, 0x0500, Octets{0, 0});
  master().send(Master::BWR, 0, 0x0980, Octets(2));
  for (int f = 0; f < 4; f++) master().send(Master::BWR, 0, std::uint16_t(0x0600 + 16 * f), Octets(16));
  for (int s = 0; s < 4; s++) master().ask_state(s, 0x11);
}

TEST_F(SegmentOfDrives, lost_doubled_and_reordered_frames_leave_a_segment_in_order) {
  begin(4);
  Octets last;
  std::uint64_t n = 0;
  // One of three frames is lost, one of three comes twice, one of three is followed by the one before.
  const test::Wire bad = [&](const Octets& frame) -> Octets {
    Octets out = frame;
    const std::uint64_t what = draw(4, n++) % 6;
    if (what == 0) return {};
    segment_->process(out, now_);
    Octets again = what == 1 ? frame : last;
    if (what <= 2 && !again.empty()) segment_->process(again, now_);
    last = frame;
    return out;
  };
  Master m(bad);
  m.enumerate();
  for (int i = 0; i < 2000; i++) {
    m.set_mailboxes(i % 4);
    m.ask_state(i % 4, 0x12);
    m.upload(i % 4, 0x1008, 0);
    m.download(i % 4, 0x2000, 0, Octets(200, std::uint8_t('a')), false, false);
  }
  begin(4);
  operate();
  EXPECT_EQ(master().cycle(), 12);
}

}  // namespace segment_test
}  // namespace sinew::ethercat
