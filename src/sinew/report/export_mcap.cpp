#include "sinew/report/export_mcap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sinew/math/rotation.h"
#include "sinew/record/mcap_writer.h"
#include "sinew/report/mcap_scene.h"

namespace sinew::report {
namespace {

using MessageJson = nlohmann::ordered_json;

constexpr double weight_arrow = 0.3;  // length of the arrow of a force as large as the robot's weight [m]

constexpr std::array<const char*, 3> xyz{".x", ".y", ".z"};
constexpr std::array<const char*, 4> wxyz{".w", ".x", ".y", ".z"};

// Fields as lists of "name: type"; enough for viewers to offer them, and for people to read.
std::string schema_of(const std::string& title, std::initializer_list<std::pair<const char*, const char*>> fields) {
  MessageJson out{{"title", title}, {"type", "object"}, {"properties", MessageJson::object()}};
  for (const auto& [name, type] : fields) out["properties"][name] = {{"type", type}};
  return out.dump();
}

struct Row {
  const double* values;
  std::uint64_t ns;
  MessageJson time;

  MessageJson number(std::size_t column) const {
    return std::isfinite(values[column]) ? MessageJson(values[column]) : MessageJson();
  }
  Vec3d vector(const std::array<std::size_t, 3>& columns) const {
    return {values[columns[0]], values[columns[1]], values[columns[2]]};
  }
};

MessageJson vector_json(const Vec3d& v) { return {{"x", v[0]}, {"y", v[1]}, {"z", v[2]}}; }

// Where signals stand in a row.
class Places {
 public:
  explicit Places(const record::Reader& reader) {
    for (std::size_t i = 0; i < reader.columns().size(); i++) at_[reader.columns()[i].name] = i;
  }
  std::optional<std::size_t> find(const std::string& name) const {
    const auto found = at_.find(name);
    return found == at_.end() ? std::nullopt : std::optional(found->second);
  }
  // All parts of a vector or none.
  template <std::size_t n>
  std::optional<std::array<std::size_t, n>> find_parts(const std::string& name,
                                                       const std::array<const char*, n>& parts) const {
    std::array<std::size_t, n> out{};
    for (std::size_t i = 0; i < n; i++) {
      const auto found = find(name + parts[i]);
      if (!found) return std::nullopt;
      out[i] = *found;
    }
    return out;
  }
  // NAME, or NAME.0, NAME.1, ...
  std::vector<std::size_t> find_list(const std::string& name) const {
    std::vector<std::size_t> out;
    if (const auto one = find(name)) return {*one};
    for (std::size_t k = 0;; k++) {
      const auto next = find(name + "." + std::to_string(k));
      if (!next) return out;
      out.push_back(*next);
    }
  }

 private:
  std::map<std::string, std::size_t> at_;
};

struct BodyPlaces {
  std::string name;
  std::array<std::size_t, 3> p{};
  std::array<std::size_t, 4> quat{};
  std::optional<std::array<std::size_t, 3>> force, torque;
  std::uint16_t wrench = 0;  // channel; 0: none

  Quatd orientation(const Row& row) const {
    return {row.values[quat[0]], row.values[quat[1]], row.values[quat[2]], row.values[quat[3]]};
  }
};

struct JointPlaces {
  std::string name;
  std::size_t q, u;
  std::optional<std::size_t> torque;
};

struct ContactPlaces {
  std::string name, body, other;
  std::size_t state;
  std::array<std::size_t, 3> point{}, push{}, friction{};
};

class McapExport {
 public:
  McapExport(const record::Reader& reader, const MessageJson& scene, record::McapWriter& out)
      : reader_(reader), places_(reader), scene_(scene), out_(out) {
    find_bodies();
    find_joints();
    find_contacts();
    open_channels();
  }

  void add(const Row& row, bool is_first) {
    if (is_first && scene_channel_) send(scene_channel_, row, scene_update(scene_, row.time));
    if (frames_) send(frames_, row, transforms(row));
    if (joint_channel_) send(joint_channel_, row, joint_states(row));
    for (const BodyPlaces& body : bodies_)
      if (body.wrench) send(body.wrench, row, wrench_on(body, row));
    if (contact_channel_) add_contacts(row);
    MessageJson all{{"timestamp", row.time}};
    for (std::size_t i = 0; i < reader_.columns().size(); i++) all[reader_.columns()[i].name] = row.number(i);
    send(signals_, row, all);
  }

 private:
  void send(std::uint16_t channel, const Row& row, const MessageJson& message) {
    out_.add_message(channel, row.ns, message.dump());
  }

  void find_bodies() {
    double mass = 0.0;
    for (const MessageJson& b : scene_.value("bodies", MessageJson::array())) {
      const std::string name = b.at("name"), place = "body." + name;
      mass += b.at("mass").get<double>();
      const auto p = places_.find_parts(place + ".p", xyz);
      const auto quat = places_.find_parts(place + ".quat", wxyz);
      if (!p || !quat) continue;
      bodies_.push_back({name, *p, *quat, places_.find_parts(place + ".contact.force", xyz),
                         places_.find_parts(place + ".contact.torque", xyz)});
    }
    const MessageJson g = scene_.value("gravity", MessageJson::array());
    double pull = 0.0;
    for (const MessageJson& part : g) pull += part.get<double>() * part.get<double>();
    const double weight = mass * std::sqrt(pull);
    scale_ = weight > 0.0 ? weight_arrow / weight : weight_arrow;
  }

  // Joints whose velocities are the rates of their coordinates: not those that turn in space.
  void find_joints() {
    for (const MessageJson& j : scene_.value("joints", MessageJson::array())) {
      const std::string name = j.at("name"), place = "joint." + name;
      const auto q = places_.find_list(place + ".q"), u = places_.find_list(place + ".u"),
                 torque = places_.find_list(place + ".torque");
      if (q.size() != u.size()) continue;
      for (std::size_t k = 0; k < q.size(); k++)
        joints_.push_back({q.size() > 1 ? name + "." + std::to_string(k) : name, q[k], u[k],
                           torque.size() == q.size() ? std::optional(torque[k]) : std::nullopt});
    }
  }

  void find_contacts() {
    for (const MessageJson& c : scene_.value("contacts", MessageJson::array())) {
      const std::string name = c.at("name"), place = "contact." + name;
      const auto state = places_.find(place + ".state");
      const auto point = places_.find_parts(place + ".point", xyz), push = places_.find_parts(place + ".push", xyz),
                 friction = places_.find_parts(place + ".friction", xyz);
      if (state && point && push && friction)
        contacts_.push_back({name, c.at("body"), c.at("other"), *state, *point, *push, *friction});
    }
  }

  void open_channels() {
    const std::uint16_t scene = out_.add_schema(
        "foxglove.SceneUpdate", schema_of("foxglove.SceneUpdate", {{"deletions", "array"}, {"entities", "array"}}));
    if (!bodies_.empty()) {
      frames_ = out_.add_channel(
          out_.add_schema("foxglove.FrameTransforms", schema_of("foxglove.FrameTransforms", {{"transforms", "array"}})),
          "/tf");
      scene_channel_ = out_.add_channel(scene, "/scene");
    }
    if (!joints_.empty())
      joint_channel_ = out_.add_channel(
          out_.add_schema("foxglove.JointStates",
                          schema_of("foxglove.JointStates", {{"timestamp", "object"}, {"joints", "array"}})),
          "/joint_states");
    open_wrenches();
    if (!contacts_.empty()) {
      contact_channel_ = out_.add_channel(
          out_.add_schema(
              "sinew.Contacts",
              schema_of("sinew.Contacts", {{"timestamp", "object"}, {"frame_id", "string"}, {"contacts", "array"}})),
          "/contacts");
      force_channel_ = out_.add_channel(scene, "/contact_forces");
    }
    signals_ = out_.add_channel(out_.add_schema("sinew.Signals", signals_schema()), "/signals");
  }

  void open_wrenches() {
    std::uint16_t schema = 0;
    for (BodyPlaces& body : bodies_) {
      if (!body.force || !body.torque) continue;
      if (schema == 0)
        schema =
            out_.add_schema("geometry_msgs/WrenchStamped",
                            schema_of("geometry_msgs/WrenchStamped", {{"header", "object"}, {"wrench", "object"}}));
      body.wrench = out_.add_channel(schema, "/wrench/" + body.name);
    }
  }

  std::string signals_schema() const {
    MessageJson out{
        {"title", "sinew.Signals"}, {"type", "object"}, {"properties", {{"timestamp", {{"type", "object"}}}}}};
    for (const record::Column& c : reader_.columns())
      out["properties"][c.name] = {{"type", "number"}, {"description", c.description + " [" + c.unit + "]"}};
    return out.dump();
  }

  MessageJson transforms(const Row& row) const {
    MessageJson list = MessageJson::array();
    for (const BodyPlaces& body : bodies_) {
      const Quatd q = body.orientation(row);
      list.push_back({{"timestamp", row.time},
                      {"parent_frame_id", "world"},
                      {"child_frame_id", body.name},
                      {"translation", vector_json(row.vector(body.p))},
                      {"rotation", {{"x", q.x}, {"y", q.y}, {"z", q.z}, {"w", q.w}}}});
    }
    return {{"transforms", std::move(list)}};
  }

  MessageJson joint_states(const Row& row) const {
    MessageJson list = MessageJson::array();
    for (const JointPlaces& j : joints_) {
      list.push_back({{"name", j.name}, {"position", row.number(j.q)}, {"velocity", row.number(j.u)}});
      if (j.torque) list.back()["effort"] = row.number(*j.torque);
    }
    return {{"timestamp", row.time}, {"joints", std::move(list)}};
  }

  // Of all contacts on a body, about its centre of mass, in its own axes: those of its frame.
  MessageJson wrench_on(const BodyPlaces& body, const Row& row) const {
    const Mat3<double> R = to_matrix(conjugate(body.orientation(row)));
    return {
        {"header", {{"stamp", row.time}, {"frame_id", body.name}}},
        {"wrench",
         {{"force", vector_json(R * row.vector(*body.force))}, {"torque", vector_json(R * row.vector(*body.torque))}}}};
  }

  void add_contacts(const Row& row) {
    MessageJson list = MessageJson::array();
    std::vector<ForceArrow> arrows;
    for (const ContactPlaces& c : contacts_) {
      if (row.values[c.state] == 0.0) continue;  // open
      const Vec3d p = row.vector(c.point), f = row.vector(c.push) + row.vector(c.friction);
      list.push_back({{"name", c.name},
                      {"body", c.body},
                      {"other", c.other.empty() ? "world" : c.other},
                      {"point", vector_json(p)},
                      {"force", vector_json(f)},
                      {"slides", row.values[c.state] == 2.0}});
      arrows.push_back({{p[0], p[1], p[2]}, {f[0], f[1], f[2]}});
    }
    send(contact_channel_, row, {{"timestamp", row.time}, {"frame_id", "world"}, {"contacts", std::move(list)}});
    send(force_channel_, row, force_update(arrows, scale_, row.time));
  }

  const record::Reader& reader_;
  Places places_;
  const MessageJson& scene_;
  record::McapWriter& out_;
  std::vector<BodyPlaces> bodies_;
  std::vector<JointPlaces> joints_;
  std::vector<ContactPlaces> contacts_;
  double scale_ = weight_arrow;  // of arrows [m/N]
  std::uint16_t frames_ = 0, scene_channel_ = 0, joint_channel_ = 0, contact_channel_ = 0, force_channel_ = 0,
                signals_ = 0;
};

}  // namespace

void export_mcap(const record::Reader& reader, const std::function<void(std::string_view)>& write) {
  record::McapWriter out("sinew " + reader.attribute("version"), write);
  std::map<std::string, std::string> about;
  for (const char* name : {"name", "title", "source", "seed", "version", "scenario", "run"})
    if (const std::string text = reader.attribute(name); !text.empty()) about[name] = text;
  out.add_metadata("sinew", about);
  const std::string scene_text = reader.attribute("scene");
  const MessageJson scene = scene_text.empty() ? MessageJson::object() : MessageJson::parse(scene_text);
  McapExport rows(reader, scene, out);
  const std::vector<double> all = reader.read_all();
  const std::size_t width = reader.columns().size();
  for (std::size_t i = 0; i < reader.rows(); i++) {
    const double* values = all.data() + i * width;
    const auto ns = std::uint64_t(std::llround(std::max(values[0], 0.0) * 1e9));
    rows.add({values, ns, {{"sec", ns / 1000000000}, {"nsec", ns % 1000000000}}}, i == 0);
  }
  out.finish();
}

}  // namespace sinew::report
