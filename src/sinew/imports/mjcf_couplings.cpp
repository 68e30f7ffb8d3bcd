// Equality of joints and of fixed tendons (MuJoCo's XML reference, equality/joint, equality/tendon), with lengths y, x and those at ref:
//   y - y_0 = a_0 + a_1 (x - x_0) + ... + a_4 (x - x_0)^4        y of joint1 or tendon1, x of joint2 or tendon2
// The length of a joint is its coordinate, that of a fixed tendon sum_i coef_i q_i.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sinew/imports/mjcf_parts.h"

namespace sinew::imports {
namespace {

using pugi::xml_node;

struct CouplingReader {
  MjcfRobot& m;
  MjcfDocument& doc = m.document;
  XmlFile& xml = doc.xml;

  const RobotJoint* find(const std::string& name) const {
    for (const RobotBody& body : m.robot.bodies)
      for (const RobotJoint& joint : body.joints)
        if (joint.name == name) return &joint;
    return nullptr;
  }

  MjcfLength of_joint(xml_node node, const std::string& name) {
    const RobotJoint* joint = find(name);
    if (!joint) xml.fail(node, fmt::format("there is no joint \"{}\"", name));
    return {{{name, {1.0}}}, joint ? joint->zero : 0.0};
  }

  void read_tendons() {
    for (const xml_node section : doc.sections("tendon"))
      for (const xml_node node : section.children("fixed")) {
        xml.use(node);
        doc.accept(node);
        MjcfLength length;
        for (const xml_node joint : xml.children(node, "joint")) {
          const double coef = xml.number(joint, "coef", 1.0);
          MjcfLength one = of_joint(joint, xml.text(joint, "joint"));
          one.terms[0].factor[0] = coef;
          length.terms.push_back(one.terms[0]);
          length.at_ref += coef * one.at_ref;
        }
        m.tendons[xml.text(node, "name")] = std::move(length);
      }
  }

  // p(x) = a_0 + ... in powers of x - x_0, in powers of x.
  static std::array<double, 5> shifted(const std::vector<double>& a, double x_0) {
    std::array<double, 5> out{};
    for (std::size_t k = 5; k-- > 0;) {  // Horner's scheme: out <- out (x - x_0) + a_k
      for (std::size_t i = 5; i-- > 1;) out[i] = out[i - 1] - x_0 * out[i];
      out[0] = a[k] - x_0 * out[0];
    }
    return out;
  }

  void couple(xml_node node, const std::string& kind, const MjcfLength& y, const MjcfLength& x) {
    RobotCoupling c;
    c.name = xml.text(node, "name", fmt::format("{}{}", kind, m.robot.couplings.size() + 1));
    c.line = xml.line(node);
    std::vector<double> a = xml.numbers(node, "polycoef");
    if (a.empty()) a = {0.0, 1.0};
    a.resize(5, 0.0);
    const auto p = shifted(a, x.at_ref);
    if (x.terms.size() > 1 && (p[2] != 0.0 || p[3] != 0.0 || p[4] != 0.0))
      return xml.warn(node, fmt::format("{}: powers of a tendon of several joints are left out with it", c.name));
    c.terms = y.terms;
    for (const RobotCoupling::Term& term : x.terms) {
      const double coef = term.factor[0];
      c.terms.push_back(
          {term.joint,
           {-p[1] * coef, -p[2] * coef * coef, -p[3] * coef * coef * coef, -p[4] * coef * coef * coef * coef}});
    }
    c.sum = y.at_ref + (x.terms.empty() ? a[0] : p[0]);
    const double first = c.terms.empty() ? 0.0 : c.terms[0].factor[0];
    if (first == 0.0)
      return xml.warn(node, fmt::format("{}: its first joint has the coefficient 0: it is left out", c.name));
    for (RobotCoupling::Term& term : c.terms)
      for (double& f : term.factor) f /= first;
    c.sum /= first;
    m.robot.couplings.push_back(std::move(c));
  }

  void read(xml_node node, const std::string& kind) {
    xml.use(node);
    doc.accept(node, "equality/" + kind);
    if (xml.text(node, "active", "true") == "false")
      return xml.warn(node, fmt::format("a <{}> that is not active is left out", kind), NoteKind::Decision);
    const auto length = [&](const char* which) {
      const std::string name = xml.text(node, (kind + which).c_str());
      if (kind == "joint") return name.empty() ? MjcfLength{} : of_joint(node, name);
      if (name.empty()) return MjcfLength{};
      const auto found = m.tendons.find(name);
      if (found == m.tendons.end()) {
        xml.warn(node, fmt::format("the tendon \"{}\" is not a fixed one: what it is held to is left out", name));
        return MjcfLength{};
      }
      return found->second;
    };
    const MjcfLength y = length("1"), x = length("2");
    if (y.terms.empty() || (x.terms.empty() && xml.has(node, (kind + "2").c_str()))) return;
    couple(node, kind, y, x);
  }

  void run() {
    read_tendons();
    for (const xml_node section : doc.sections("equality"))
      for (const char* kind : {"joint", "tendon"})
        for (const xml_node node : section.children(kind)) read(node, kind);
  }
};

}  // namespace

void read_mjcf_couplings(MjcfRobot& m) { CouplingReader{m}.run(); }

std::optional<MjcfByOneJoint> by_one_joint(const MjcfRobot& m, const std::string& tendon) {
  const auto found = m.tendons.find(tendon);
  if (found == m.tendons.end()) return {};
  std::map<std::string, double> coef;
  double offset = 0.0;
  for (const RobotCoupling::Term& term : found->second.terms) coef[term.joint] += term.factor[0];
  for (std::size_t pass = 0; pass <= m.robot.couplings.size(); pass++)
    for (const RobotCoupling& c : m.robot.couplings) {
      const auto follower = coef.find(c.terms[0].joint);
      const auto is_linear = [](const RobotCoupling::Term& term) {
        return term.factor[1] == 0.0 && term.factor[2] == 0.0 && term.factor[3] == 0.0;
      };
      if (follower == coef.end() || coef.size() == 1 || !std::ranges::all_of(c.terms, is_linear)) continue;
      const double by = follower->second;  // the first has the factor 1
      coef.erase(follower);
      offset += by * c.sum;
      for (std::size_t i = 1; i < c.terms.size(); i++) coef[c.terms[i].joint] -= by * c.terms[i].factor[0];
    }
  if (coef.size() != 1) return {};
  return MjcfByOneJoint{coef.begin()->first, coef.begin()->second, offset};
}

}  // namespace sinew::imports
