#include "sinew/ethercat/slave.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/ethercat/esi.h"
#include "tests/ethercat/devices.h"

namespace sinew::ethercat {
namespace slave_test {

using test::Master;
using test::Octets;
using test::octets;
using test::operator+;

class OneDrive : public ::testing::Test {
 protected:
  OneDrive() { m_.enumerate(); }
  void pre_op() {
    m_.set_mailboxes(0);
    ASSERT_EQ(m_.ask_state(0, 0x12), 2);
  }
  std::int64_t now_ = 1'000'000'000;
  Segment segment_ = test::drives(1, true);
  Master m_{test::wire_to(segment_, now_)};
};

std::string text_of(const Octets& data) { return {data.begin(), data.end()}; }

TEST_F(OneDrive, eeprom_holds_identity_checksum_and_categories) {
  EXPECT_EQ(m_.eeprom(0, 0x08), vendor);
  EXPECT_EQ(m_.eeprom(0, 0x0a), 0x402u);
  EXPECT_EQ(m_.eeprom(0, 0x18), 0x00801000u) << "mailbox: 128 bytes at 0x1000";
  EXPECT_EQ(m_.eeprom(0, 0x1a), 0x00801080u);
  EXPECT_EQ(m_.eeprom(0, 0x1c) & 4, 4u) << "CoE";
  const std::uint8_t known[] = {0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};
  EXPECT_EQ(m_.eeprom(0, 0x06) >> 16, sii_checksum(known));
  const std::uint8_t digits[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
  EXPECT_EQ(sii_checksum(digits), 0xfb) << "CRC-8 with polynomial 0x07 from 0xff";
  for (const std::uint16_t kind : {10, 30, 40, 41, 50, 51, 60}) EXPECT_GT(m_.find_category(0, kind).second, 0) << kind;
  const auto [at, bytes] = m_.find_category(0, 41);
  EXPECT_EQ(bytes, 32) << "four sync managers";
  EXPECT_EQ(m_.eeprom(0, std::uint16_t(at / 2 + 8)), 0x00101100u) << "16 bytes of outputs at 0x1100";
  EXPECT_EQ(m_.find_category(1, 51).second, 0) << "a sensor has no outputs";
  EXPECT_EQ(m_.eeprom(0, 0x7000), 0xffffffffu) << "beyond its end";
}

TEST_F(OneDrive, states_go_up_one_by_one_with_the_codes_of_the_standard) {
  const auto refused = [&](std::uint16_t wanted, std::uint16_t status, std::uint16_t code) {
    EXPECT_EQ(m_.ask_state(0, wanted), status);
    EXPECT_EQ(m_.code(0), code);
  };
  refused(4, 0x11, 0x0011);     // Init to SafeOp: no such change
  refused(2, 0x11, 0x0011);     // not while the error stands
  refused(0x12, 0x11, 0x0016);  // no mailboxes
  refused(0x13, 0x11, 0x0013);  // no bootstrap
  refused(0x17, 0x11, 0x0012);  // what is 7?
  pre_op();
  EXPECT_EQ(m_.code(0), 0);
  refused(8, 0x12, 0x0011);     // PreOp to Op
  refused(0x14, 0x12, 0x001d);  // no outputs
  m_.write(0, 0x0810, octets(std::uint16_t(0x1100)) + octets(std::uint16_t(16)) + Octets{0x64, 0, 1, 0});
  refused(0x14, 0x12, 0x001e);  // no inputs
  m_.write(0, 0x0818, octets(std::uint16_t(0x1400)) + octets(std::uint16_t(19)) + Octets{0x20, 0, 1, 0});
  refused(0x14, 0x12, 0x001e);  // a byte too short
  m_.write(0, 0x0818, octets(std::uint16_t(0x1400)) + octets(std::uint16_t(20)) + Octets{0x20, 0, 1, 0});
  m_.write(0, 0x0981, Octets{1});
  refused(0x14, 0x12, 0x0030);  // a clock without sync 0
  m_.write(0, 0x0981, Octets{3});
  refused(0x14, 0x12, 0x0035);  // of no cycle
  m_.write(0, 0x09a0, octets(std::uint32_t(1'000'000)));
  EXPECT_EQ(m_.ask_state(0, 0x14), 4);
  EXPECT_EQ(m_.ask_state(0, 8), 4) << "it waits for outputs";
  EXPECT_EQ(m_.write(0, 0x1100, Octets(16)).counter, 1);
  EXPECT_EQ(m_.read(0, 0x0130, 1).number(), 8u);
  m_.write(0, 0x0816, Octets{0});  // the sync manager of outputs is switched off
  EXPECT_EQ(m_.read(0, 0x0130, 1).number(), 0x14u);
  EXPECT_EQ(m_.code(0), 0x001d);
  EXPECT_EQ(m_.ask_state(0, 0x11), 1) << "down to any state";
}

TEST_F(OneDrive, missing_outputs_are_noticed_in_time) {
  m_.map_process_data(0);
  for (int s = 0; s < 1; s++) pre_op();
  m_.map_process_data(1);
  ASSERT_EQ(m_.ask_state(0, 4), 4);
  EXPECT_EQ(m_.ask_state(0, 8), 4);
  now_ += 1'100'000'000;
  EXPECT_EQ(m_.read(0, 0x0130, 1).number(), 0x14u);
  EXPECT_EQ(m_.code(0), 0x0019) << "no outputs came";
  EXPECT_EQ(m_.ask_state(0, 0x14), 4);
  ASSERT_TRUE(m_.go_operational(1));
  now_ += 99'000'000;
  EXPECT_EQ(m_.cycle(), 3);
  now_ += 99'000'000;
  EXPECT_EQ(m_.read(0, 0x0130, 1).number(), 8u) << "100 ms by the registers of the watchdog";
  EXPECT_EQ(m_.read(0, 0x0440, 1).number(), 1u);
  now_ += 2'000'000;
  EXPECT_EQ(m_.read(0, 0x0130, 1).number(), 0x14u);
  EXPECT_EQ(m_.code(0), 0x001b);
  EXPECT_EQ(m_.read(0, 0x0440, 1).number(), 0u);
  EXPECT_EQ(m_.read(0, 0x0442, 1).number(), 1u);
}

TEST_F(OneDrive, objects_are_read_expedited_in_segments_and_as_a_whole) {
  pre_op();
  EXPECT_EQ(m_.upload(0, 0x1000, 0).number(), 0x00020192u);
  EXPECT_EQ(text_of(m_.upload(0, 0x1008, 0).data), "knee");
  const Octets note(250, std::uint8_t('x'));
  EXPECT_EQ(m_.download(0, 0x2000, 0, note, false, false).abort, 0u);
  EXPECT_EQ(m_.upload(0, 0x2000, 0).data, note) << "in three segments";
  const Octets identity = m_.upload(0, 0x1018, 0, true).data;
  ASSERT_EQ(identity.size(), 18u);
  EXPECT_EQ(identity[0], 4);
  EXPECT_EQ(identity[2], 0x55);
  EXPECT_EQ(m_.upload(0, 0x1018, 1, true).data.size(), 16u);
  EXPECT_EQ(m_.upload(0, 0x1c12, 0, true).data, (Octets{1, 0, 0x00, 0x16}));
}

TEST_F(OneDrive, wrong_requests_get_the_abort_codes_of_the_standard) {
  pre_op();
  EXPECT_EQ(m_.upload(0, 0x5555, 0).abort, 0x06020000u);
  EXPECT_EQ(m_.upload(0, 0x1018, 9).abort, 0x06090011u);
  EXPECT_EQ(m_.upload(0, 0x1018, 2, true).abort, 0x06010000u);
  EXPECT_EQ(m_.download(0, 0x1000, 0, octets(std::uint32_t(1))).abort, 0x06010002u);
  EXPECT_EQ(m_.download(0, 0x6065, 0, octets(std::uint16_t(1))).abort, 0x06070013u);
  EXPECT_EQ(m_.download(0, 0x6066, 0, octets(std::uint32_t(1))).abort, 0x06070012u);
  EXPECT_EQ(m_.download(0, 0x6060, 0, Octets{3}).abort, 0x06090030u) << "profile velocity is not there";
  EXPECT_EQ(m_.download(0, 0x2000, 0, Octets(251), false, false).abort, 0x06070012u);
  EXPECT_EQ(m_.download(0, 0x2000, 0, Octets(513), false, false).abort, 0x06070012u);
  const Octets head = octets(std::uint16_t(0x2000));
  const auto abort_of = [](const Octets& a) {
    return a.size() < 16 ? 0 : test::SdoReply{0, {a.begin() + 12, a.end()}}.number();
  };
  EXPECT_EQ(abort_of(m_.mail(0, 3, head + Octets{0x60, 0, 0, 0, 0, 0, 0, 0})), 0x05040001u)
      << "no transfer is under way";
  EXPECT_EQ(abort_of(m_.mail(0, 3, head + Octets{0xe0, 0, 0, 0, 0, 0, 0, 0})), 0x05040001u);
  m_.download(0, 0x2000, 0, Octets(250, 'x'), false, false);
  m_.mail(0, 3, head + Octets{0x40, 0x00, 0x20, 0, 0, 0, 0, 0});
  EXPECT_EQ(abort_of(m_.mail(0, 3, head + Octets{0x70, 0, 0, 0, 0, 0, 0, 0})), 0x05030000u) << "the wrong toggle";
}

TEST_F(OneDrive, wrong_mailboxes_get_the_error_codes_of_the_standard) {
  pre_op();
  const auto error_of = [](const Octets& a) { return a.size() == 10 && (a[5] & 15) == 0 ? int(a[8]) : -1; };
  EXPECT_EQ(error_of(m_.mail(0, 2, Octets(10))), 2) << "no EoE";
  EXPECT_EQ(error_of(m_.mail(0, 3, octets(std::uint16_t(0x5000)) + Octets(8))), 4) << "no such service";
  EXPECT_EQ(error_of(m_.mail(0, 3, Octets{0})), 6) << "too short";
  EXPECT_EQ(error_of(m_.mail(0, 3, octets(std::uint16_t(0x2000)) + Octets(4))), 6);
  EXPECT_EQ(error_of(m_.mail(0, 3, Octets(8), std::uint16_t(500))), 8) << "longer than the mailbox";
}

TEST_F(OneDrive, a_lost_answer_is_repeated_and_a_doubled_request_is_heard_once) {
  pre_op();
  Octets request = octets(std::uint16_t(10)) + Octets{0, 0, 0, 0x13} + octets(std::uint16_t(0x2000)) +
                   Octets{0x40, 0, 0x10, 0, 0, 0, 0, 0};
  request.resize(128);
  EXPECT_EQ(m_.read(0, 0x1080, 128).counter, 0) << "an empty mailbox is not read";
  EXPECT_EQ(m_.write(0, 0x1000, request).counter, 1);
  const Octets answer = m_.read(0, 0x1080, 128).data;
  EXPECT_EQ(m_.read(0, 0x1080, 128).counter, 0) << "it is taken";
  m_.write(0, 0x080e, Octets{3});  // the repeat request toggles
  EXPECT_EQ(m_.read(0, 0x080f, 1).number() & 2, 2u);
  EXPECT_EQ(m_.read(0, 0x1080, 128).data, answer);
  EXPECT_EQ(m_.write(0, 0x1000, request).counter, 1) << "the same counter once more";
  EXPECT_EQ(m_.read(0, 0x1080, 128).counter, 0) << "no second answer";
}

TEST_F(OneDrive, the_information_service_lists_what_is_there) {
  pre_op();
  const std::vector<std::uint16_t> all = m_.list_objects(0);
  ASSERT_EQ(all.size(), segment_.slaves()[0].objects.objects().size());
  EXPECT_TRUE(std::ranges::is_sorted(all));
  for (const std::uint16_t index :
       {0x1000, 0x1008, 0x1009, 0x100a, 0x1018, 0x1600, 0x1a00, 0x1c00, 0x1c12, 0x1c13, 0x1c32,
        0x1c33, 0x603f, 0x6040, 0x6041, 0x605a, 0x605b, 0x605c, 0x605e, 0x6060, 0x6061, 0x6064,
        0x6065, 0x6066, 0x606c, 0x6071, 0x6077, 0x607a, 0x6085, 0x6098, 0x60ff, 0x6502}) {
    EXPECT_TRUE(std::ranges::binary_search(all, index)) << std::hex << index;
  }
  const Octets head = octets(std::uint16_t(0x8000));
  Octets a = m_.mail(0, 3, head + Octets{5, 0, 0, 0, 0x7a, 0x60, 0, 0});
  EXPECT_EQ(a[8], 6);
  EXPECT_EQ(a[16] | a[17] << 8, 4) << "DINT";
  EXPECT_EQ(a[18] | a[19] << 8, 32) << "bits";
  EXPECT_EQ(a[20] | a[21] << 8, 0x7f) << "read, written, and mapped to outputs";
  EXPECT_EQ(text_of({a.begin() + 22, a.end()}), "target position");
  a = m_.mail(0, 3, head + Octets{3, 0, 0, 0, 0x18, 0x10});
  EXPECT_EQ(a[8], 4);
  EXPECT_EQ(a[16], 4) << "subindices";
  EXPECT_EQ(a[17], 9) << "a record";
  a = m_.mail(0, 3, head + Octets{3, 0, 0, 0, 0x55, 0x55});
  EXPECT_EQ(a[8], 7);
  EXPECT_EQ(test::SdoReply({0, {a.begin() + 12, a.end()}}).number(), 0x06020000u);
}

TEST_F(OneDrive, wrong_mappings_are_refused_and_right_ones_change_the_image) {
  pre_op();
  const auto entry = [](std::uint32_t e) { return octets(e); };
  EXPECT_EQ(m_.download(0, 0x1600, 1, entry(0x607a0020)).abort, 0x06010003u) << "its count is not 0";
  ASSERT_EQ(m_.download(0, 0x1600, 0, Octets{0}).abort, 0u);
  EXPECT_EQ(m_.download(0, 0x1600, 1, entry(0x55550020)).abort, 0x06020000u) << "no object";
  EXPECT_EQ(m_.download(0, 0x1600, 1, entry(0x607a0520)).abort, 0x06090011u) << "no subindex";
  EXPECT_EQ(m_.download(0, 0x1600, 1, entry(0x60640020)).abort, 0x06040041u) << "an input among outputs";
  EXPECT_EQ(m_.download(0, 0x1600, 1, entry(0x607a0010)).abort, 0x06040041u) << "half of it";
  ASSERT_EQ(m_.download(0, 0x1600, 1, entry(0x60400010)).abort, 0u);
  ASSERT_EQ(m_.download(0, 0x1600, 2, entry(0x607a0020)).abort, 0u);
  EXPECT_EQ(m_.download(0, 0x1600, 0, Octets{13}).abort, 0x06040042u) << "too many";
  EXPECT_EQ(m_.download(0, 0x1c12, 1, octets(std::uint16_t(0x1601))).abort, 0x06010003u);
  ASSERT_EQ(m_.download(0, 0x1600, 0, Octets{2}).abort, 0u);
  EXPECT_EQ(m_.download(0, 0x1c12, 0, Octets{2}).abort, 0x06090030u);
  EXPECT_EQ(m_.download(0, 0x1c13, 0, Octets{0, 0, 0x01, 0x1a}, true).abort, 0x06040041u) << "no such list";
  EXPECT_EQ(m_.upload(0, 0x1c13, 0).number(), 1u) << "refused as a whole, it is as before";
  m_.map_process_data(1);
  EXPECT_EQ(m_.places[0].n_outputs, 6u);
  ASSERT_EQ(m_.ask_state(0, 4), 4);
  EXPECT_EQ(m_.download(0, 0x1600, 0, Octets{0}).abort, 0x08000022u) << "not in this state";
  ASSERT_TRUE(m_.go_operational(1));
  m_.image = octets(std::uint16_t(6)) + octets(std::uint32_t(777)) + Octets(20);
  m_.cycle();
  EXPECT_EQ(m_.upload(0, 0x607a, 0).number(), 777u);
}

TEST_F(OneDrive, a_sensor_tells_its_loads) {
  m_.set_mailboxes(1);
  m_.ask_state(1, 0x12);
  Slave& s = segment_.slaves()[1];
  const double loads[] = {1.0, -2.5, 981.0, 0.001, 1e30, 0.0};
  measure(s, loads, 1);
  EXPECT_EQ(std::int32_t(m_.upload(1, 0x6000, 2).number()), -2500);
  EXPECT_EQ(std::int32_t(m_.upload(1, 0x6000, 3).number()), 981000);
  EXPECT_EQ(std::int32_t(m_.upload(1, 0x6000, 4).number()), 1);
  EXPECT_EQ(std::int32_t(m_.upload(1, 0x6000, 5).number()), 2147483647) << "not beyond what fits";
  EXPECT_EQ(m_.upload(1, 0x6010, 0).number(), 1u);
}

TEST_F(OneDrive, the_esi_file_names_each_kind_once) {
  const std::string esi = make_esi(segment_.slaves());
  const auto count = [&](const std::string& word) {
    int n = 0;
    for (std::size_t at = esi.find(word); at != std::string::npos; at = esi.find(word, at + 1)) n++;
    return n;
  };
  EXPECT_EQ(count("<Device "), 2);
  EXPECT_EQ(count("</Device>"), 2);
  EXPECT_EQ(count("<Profile><ProfileNo>402</ProfileNo><AddInfo>2</AddInfo></Profile>"), 1) << "of the drive";
  EXPECT_EQ(count("<RxPdo "), 1);
  EXPECT_EQ(count("<TxPdo "), 2);
  EXPECT_NE(esi.find("<Index>#x607a</Index><SubIndex>0</SubIndex><BitLen>32</BitLen>"), std::string::npos);
  EXPECT_NE(esi.find("<Sm DefaultSize=\"16\" StartAddress=\"#x1100\" ControlByte=\"#x64\" Enable=\"1\">Outputs</Sm>"),
            std::string::npos);
}

}  // namespace slave_test
}  // namespace sinew::ethercat
