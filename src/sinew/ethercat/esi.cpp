#include "sinew/ethercat/esi.h"

#include <fmt/format.h>

#include <iterator>
#include <set>

namespace sinew::ethercat {
namespace {

std::string_view data_type(Type type) { return name_of(type); }

void add_pdo(const Slave& s, std::uint16_t index, std::string_view tag, int sm, std::string& out) {
  if (!s.objects.find(index)) return;
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "        <{} Sm=\"{}\" Mandatory=\"1\"><Index>#x{:04x}</Index><Name>{}</Name>\n", tag, sm, index,
                 s.objects.find(index)->name);
  const std::uint8_t n = s.objects.value<std::uint8_t>(s.objects.find(index, 0)->at);
  for (std::uint8_t i = 1; i <= n; i++) {
    const std::uint32_t m = s.objects.value<std::uint32_t>(s.objects.find(index, i)->at);
    if (m >> 16 == 0) {
      fmt::format_to(to, "          <Entry><Index>0</Index><BitLen>{}</BitLen></Entry>\n", m & 255);
      continue;
    }
    const Entry* e = s.objects.find(std::uint16_t(m >> 16), std::uint8_t(m >> 8));
    fmt::format_to(to,
                   "          <Entry><Index>#x{:04x}</Index><SubIndex>{}</SubIndex><BitLen>{}</BitLen><Name>{}</Name>"
                   "<DataType>{}</DataType></Entry>\n",
                   m >> 16, (m >> 8) & 255, m & 255, e->name, data_type(e->type));
  }
  fmt::format_to(to, "        </{}>\n", tag);
}

std::string hex_of(ConstBytes bytes) {
  std::string out;
  for (const std::uint8_t b : bytes) fmt::format_to(std::back_inserter(out), "{:02x}", b);
  return out;
}

void add_device(const Slave& s, std::string& out) {
  const auto to = std::back_inserter(out);
  fmt::format_to(to,
                 "      <Device Physics=\"YY\">\n"
                 "        <Type ProductCode=\"#x{:08x}\" RevisionNo=\"#x{:08x}\">{}</Type>\n"
                 "        <Name>{}</Name>\n"
                 "        <GroupType>{}</GroupType>\n",
                 s.identity.product, revision, s.identity.type, s.identity.name, s.identity.group);
  // The device type: a profile's number, and of CiA 402 what kind of drive it is; masters know an axis by it.
  const std::uint32_t device_type = s.objects.value<std::uint32_t>(s.objects.find(0x1000, 0)->at);
  if (device_type != 0)
    fmt::format_to(to, "        <Profile><ProfileNo>{}</ProfileNo><AddInfo>{}</AddInfo></Profile>\n",
                   device_type & 0xffff, device_type >> 16);
  const bool has_outputs = s.objects.find(index::receive_pdo) != nullptr;
  fmt::format_to(to, "        <Fmmu>{}</Fmmu>\n        <Fmmu>Inputs</Fmmu>\n        <Fmmu>MBoxState</Fmmu>\n",
                 has_outputs ? "Outputs" : "");
  const auto add_sm = [&](std::string_view what, std::uint16_t bytes, std::uint16_t start, std::uint8_t control,
                          bool on) {
    fmt::format_to(to,
                   "        <Sm DefaultSize=\"{}\" StartAddress=\"#x{:04x}\" ControlByte=\"#x{:02x}\" "
                   "Enable=\"{}\">{}</Sm>\n",
                   bytes, start, control, on ? 1 : 0, what);
  };
  const auto length_of = [&](int sm) {  // as the EEPROM has it
    Dictionary copy = s.objects;
    return sm == 2 ? outputs_of(copy).bytes : inputs_of(copy).bytes;
  };
  add_sm("MBoxOut", mailbox_bytes, mailbox_in, control_mailbox_in, true);
  add_sm("MBoxIn", mailbox_bytes, mailbox_out, control_mailbox_out, true);
  add_sm("Outputs", length_of(2), outputs_at, control_outputs, has_outputs);
  add_sm("Inputs", length_of(3), inputs_at, control_inputs, true);
  add_pdo(s, index::receive_pdo, "RxPdo", 2, out);
  add_pdo(s, index::transmit_pdo, "TxPdo", 3, out);
  out +=
      "        <Mailbox><CoE SdoInfo=\"1\" PdoAssign=\"1\" PdoConfig=\"1\" CompleteAccess=\"1\"/></Mailbox>\n"
      "        <Dc>\n"
      "          <OpMode><Name>Synchron</Name><AssignActivate>#x0000</AssignActivate></OpMode>\n"
      "          <OpMode><Name>DC</Name><AssignActivate>#x0300</AssignActivate></OpMode>\n"
      "        </Dc>\n";
  fmt::format_to(to, "        <Eeprom><ByteSize>{}</ByteSize><ConfigData>{}</ConfigData></Eeprom>\n", s.eeprom.size(),
                 hex_of({s.eeprom.data(), 14}));
  out += "      </Device>\n";
}

}  // namespace

std::string make_esi(std::span<const Slave> slaves) {
  std::string out =
      "<!-- sinew ethercat: simulated slaves, for tests. Their vendor number is no registered one. -->\n"
      "<EtherCATInfo xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
      "xsi:noNamespaceSchemaLocation=\"EtherCATInfo.xsd\" Version=\"1.6\">\n";
  fmt::format_to(std::back_inserter(out),
                 "  <Vendor><Id>#x{:08x}</Id><Name>sinew, simulated</Name></Vendor>\n"
                 "  <Descriptions>\n    <Groups>\n"
                 "      <Group><Type>Drives</Type><Name>Simulated drives</Name></Group>\n"
                 "      <Group><Type>Sensors</Type><Name>Simulated sensors</Name></Group>\n"
                 "    </Groups>\n    <Devices>\n",
                 vendor);
  std::set<std::uint32_t> done;
  for (const Slave& s : slaves)
    if (done.insert(s.identity.product).second) add_device(s, out);
  return out + "    </Devices>\n  </Descriptions>\n</EtherCATInfo>\n";
}

}  // namespace sinew::ethercat
