// What SOEM (Simple Open EtherCAT Master, soem/ethercatconfig.c, ethercatdc.c, ethercatmain.c, 1.3.1 and 2) sends from ec_config_init to Operational, in its
// order, with what it needs to hear. SOEM itself was tried by hand: docs/ethercat.md#soem.
#include <gtest/gtest.h>

#include "tests/ethercat/devices.h"

namespace sinew::ethercat {
namespace soem_order_test {

using test::Master;
using test::Octets;
using test::octets;
using test::operator+;
using test::Reply;

class Soem : public ::testing::Test {
 protected:
  static constexpr int n = 3;  // two drives and a sensor

  void broadcast(std::uint16_t offset, const Octets& data) {
    EXPECT_EQ(m_.send(Master::BWR, 0, offset, data).counter, n) << std::hex << offset;
  }
  std::uint32_t fprd(int s, std::uint16_t offset, std::size_t bytes) {
    const Reply r = m_.read(s, offset, bytes);
    EXPECT_EQ(r.counter, 1) << std::hex << offset;
    return r.number();
  }
  void fpwr(int s, std::uint16_t offset, const Octets& data) {
    EXPECT_EQ(m_.write(s, offset, data).counter, 1) << std::hex << offset;
  }
  std::uint32_t eeprom(int s, std::uint16_t word) {  // ecx_readeeprom1, ecx_readeeprom2
    EXPECT_EQ(fprd(s, 0x0502, 2) & 0x8000u, 0u);
    fpwr(s, 0x0502, octets(std::uint16_t(0x0100)) + octets(std::uint32_t(word)));
    EXPECT_EQ(fprd(s, 0x0502, 2) & 0xf800u, 0u) << "not busy, no error";
    return fprd(s, 0x0508, 4);
  }

  void config_init();
  void config_slave(int s);
  void config_map();
  void config_dc();

  std::int64_t now_ = 1'000'000'000;
  Segment segment_ = test::drives(n - 1, true);
  Master m_{test::wire_to(segment_, now_)};
};

// ecx_detect_slaves, ecx_set_slaves_to_default, ecx_config_init up to the request for PreOp
void Soem::config_init() {
  broadcast(0x0103, {0});
  broadcast(0x0120, {0x11});
  broadcast(0x0120, {0x11});
  ASSERT_EQ(m_.send(Master::BRD, 0, 0x0000, Octets(2)).counter, n);
  broadcast(0x0101, {0});
  broadcast(0x0200, octets(std::uint16_t(4)));
  broadcast(0x0300, Octets(8));
  broadcast(0x0600, Octets(48));
  broadcast(0x0800, Octets(32));
  broadcast(0x0910, Octets(4));
  broadcast(0x0930, octets(std::uint16_t(0x1000)));
  broadcast(0x0934, octets(std::uint16_t(0x0c00)));
  broadcast(0x0103, {0});
  broadcast(0x0120, {0x11});
  broadcast(0x0500, {2});
  broadcast(0x0500, {0});
  for (int s = 0; s < n; s++) {
    const std::uint16_t place = std::uint16_t(-s);
    EXPECT_EQ(m_.send(Master::APRD, place, 0x0140, Octets(2)).counter, 1);
    EXPECT_EQ(m_.send(Master::APWR, place, 0x0010, octets(Master::station(s))).counter, 1);
    EXPECT_EQ(m_.send(Master::APWR, place, 0x0100, octets(std::uint16_t(s == 0 ? 1 : 0))).counter, 1);
    EXPECT_EQ(m_.send(Master::APRD, place, 0x0010, Octets(2)).number(), Master::station(s));
    EXPECT_EQ(fprd(s, 0x0012, 2), 0u);
    EXPECT_NE(fprd(s, 0x0502, 2) & 0x0040u, 0u) << "reads eight bytes";
  }
  for (int s = 0; s < n; s++) config_slave(s);
}

void Soem::config_slave(int s) {
  EXPECT_EQ(eeprom(s, 0x08), vendor);
  EXPECT_EQ(eeprom(s, 0x0a), s == n - 1 ? 0x600u : 0x402u);
  EXPECT_EQ(eeprom(s, 0x0c), revision);
  const std::uint32_t in = eeprom(s, 0x18), out = eeprom(s, 0x1a);
  EXPECT_EQ(eeprom(s, 0x1c) & 4, 4u);
  EXPECT_NE(fprd(s, 0x0008, 2) & 4, 0u) << "a clock";
  EXPECT_EQ(fprd(s, 0x0110, 2) & 0x0f00u, s == n - 1 ? 0x0600u : 0x0a00u);
  EXPECT_EQ(fprd(s, 0x0007, 2) & 0xffu, 0x0fu);
  EXPECT_EQ(fprd(s, 0x0130, 2), 1u) << "ecx_statecheck: Init";
  const auto [general, bytes] = m_.find_category(s, 30);
  EXPECT_EQ(bytes, 32);
  EXPECT_EQ(eeprom(s, std::uint16_t(general / 2 + 2)) >> 8 & 0x21u, 0x21u) << "SDO and complete access";
  EXPECT_GT(m_.find_category(s, 10).second, 0);
  EXPECT_GT(m_.find_category(s, 41).second, 0);
  EXPECT_GT(m_.find_category(s, 40).second, 0);
  fpwr(s, 0x0800, octets(in) + octets(std::uint32_t(0x00010026)) + octets(out) + octets(std::uint32_t(0x00010022)));
  fpwr(s, 0x0500, {1});  // ecx_eeprom2pdi
  fpwr(s, 0x0120, octets(std::uint16_t(0x12)));
}

// ecx_config_map_group: PreOp; ecx_readPDOmapCA; sync managers; FMMUs; SafeOp
void Soem::config_map() {
  for (int s = 0; s < n; s++) {
    EXPECT_EQ(fprd(s, 0x0130, 2) & 0x0f, 2u);
    const Octets kinds = m_.upload(s, 0x1c00, 0, true).data;
    EXPECT_EQ(kinds, (Octets{4, 0, 1, 2, 3, 4}));
    for (const std::uint16_t assign : {0x1c12, 0x1c13}) {
      const Octets lists = m_.upload(s, assign, 0, true).data;
      const bool has_list = s < n - 1 || assign == 0x1c13;
      ASSERT_EQ(lists.size(), has_list ? 4u : 2u);
      if (!has_list) continue;
      const std::uint16_t list = std::uint16_t(lists[2] | lists[3] << 8);
      const Octets map = m_.upload(s, list, 0, true).data;
      EXPECT_EQ(map.size(), 2u + 4u * map[0]);
    }
  }
  m_.map_process_data(n);
  for (int s = 0; s < n; s++) fpwr(s, 0x0120, octets(std::uint16_t(4)));
  for (int s = 0; s < n; s++) EXPECT_EQ(fprd(s, 0x0130, 2), 4u) << "ecx_statecheck: SafeOp";
}

// ecx_configdc, ecx_dcsync0 with a cycle of 1 ms and a shift of half of it
void Soem::config_dc() {
  broadcast(0x0900, Octets(4));
  std::uint32_t before = 0;
  for (int s = 0; s < n; s++) {
    const std::uint32_t arrived = fprd(s, 0x0900, 4);
    EXPECT_NE(arrived, before);
    before = arrived;
    const Octets local = m_.read(s, 0x0918, 8).data;
    std::uint64_t t = 0;
    for (std::size_t i = 8; i-- > 0;) t = t << 8 | local[i];
    fpwr(s, 0x0920, octets(std::uint64_t(0) - t));
    fprd(s, 0x0904, 4);
    fprd(s, 0x0908, 4);
    fprd(s, 0x090c, 4);
    fpwr(s, 0x0928, octets(std::uint32_t(500 * s)));
  }
  for (int s = 0; s < n; s++) {
    fpwr(s, 0x0981, {0});
    fpwr(s, 0x0980, {0});
    const std::uint32_t t = fprd(s, 0x0910, 8);
    fpwr(s, 0x0990, octets(std::uint64_t((t + 100'000'000) / 1'000'000 * 1'000'000 + 500'000)));
    fpwr(s, 0x09a0, octets(std::uint32_t(1'000'000)));
    fpwr(s, 0x0981, {3});
    EXPECT_TRUE(segment_.slaves()[std::size_t(s)].has_sync());
  }
}

TEST_F(Soem, its_way_to_operational_is_answered_step_by_step) {
  config_init();
  config_map();
  config_dc();
  EXPECT_EQ(m_.cycle(), m_.expected_counter());
  broadcast(0x0120, octets(std::uint16_t(8)));
  EXPECT_EQ(m_.cycle(), 2 * 3 + 1);
  const Reply all = m_.send(Master::BRD, 0, 0x0130, Octets(2));
  EXPECT_EQ(all.counter, n);
  EXPECT_EQ(all.number(), 8u);
  EXPECT_EQ(m_.send(Master::FRMW, Master::station(0), 0x0910, Octets(8)).counter, n);
}

}  // namespace soem_order_test
}  // namespace sinew::ethercat
