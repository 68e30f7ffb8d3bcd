// The head goes where contacts let it: a step in the algebra of its group, with the powers of its middle for the account.
#include "sinew/rod/kinematic.h"

#include <array>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"
#include "sinew/rod/given_strain.h"

namespace sinew::rod {
namespace {

template <class G>
class Kinematic final : public GivenStrain<G> {
  using Base = GivenStrain<G>;
  using Base::pose, Base::rod_, Base::readout_, Base::tally;
  using Twist = typename G::Twist;
  static constexpr int n = G::n, powers = pose + n, faults = powers + 3;

  struct Memory : Base::Passing {
    Reactions reactions;
    Svd svd;
    explicit Memory(const Rod<G>& rod) : Base::Passing(rod, 0) {}
  };

 public:
  explicit Kinematic(KinematicPlan<G> plan) : Base(plan.rod, plan.looks), plan_(std::move(plan)) {}

  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Memory>(rod_); }
  int state_size() const override { return faults + 4; }
  std::span<const std::string_view> methods() const override {
    static constexpr std::array<std::string_view, 1> names{"rk4"};
    return names;
  }

  void start(std::span<double> state) const override {
    SINEW_CHECK(int(state.size()) == state_size(), "Kinematic: a state of ", state.size(), " numbers, it has ",
                state_size());
    Memory memory(rod_);
    store_pose(plan_.start, state.data());
    const Connection<G> c = connection(0.0, 0.0, plan_.start, plan_.start_twist, memory);
    store_twist<G>(c.eta_o, state.data() + pose);
    store_power(look(0.0, 0.0, plan_.start, c, memory, false).power, state);
    store_faults({}, state);
  }

  std::string remark(std::span<const double> state) const override { return explain(load_faults(state)); }

  // Steps are large: what they miss of the head's place matters little to what contacts can do.
  std::string foresee(double duration) const override {
    if (plan_.share != Share::Unilateral && plan_.share != Share::Friction) return "";
    constexpr int steps = 200;
    std::vector<double> state(state_size());
    Memory memory(rod_);
    PlantPower work;
    start(state);
    for (int k = 0; k < steps; k++) advance({"rk4", duration * k / steps, duration / steps}, state, work, memory);
    return remark(state);
  }

  StepReport advance(const PlantStep& step, std::span<double> state, PlantPower& work,
                     Scratch& scratch) const override {
    SINEW_ASSERT(int(state.size()) == state_size() && step.dt >= 0.0);
    Memory& memory = static_cast<Memory&>(scratch);
    const double t = step.t, h = step.dt;
    StepReport report;
    const G g = load_pose<G>(state.data());
    const Twist eta = load_twist<G>(state.data() + pose);
    const double of = t + 0.5 * h;
    const Span span{t, h, of, g};
    PlantPower start = load_power(state), middle;
    Connection<G> end;
    if (plan_.connect == Connect::Contacts) {
      const Connection<G> c1 = connection(t, of, g * exponential<G>(Twist::zero()), eta, memory);
      if (plan_.switches) start = look(t, of, g, c1, memory, false).power;
      if (c1.free > 0)
        end = glide(span, eta, c1, state, middle, memory);
      else
        end = follow(span, c1.eta_o, state, middle, memory);
    } else {
      end = follow(span, eta, state, middle, memory);
    }
    store_twist<G>(end.eta_o, state.data() + pose);
    const Snapshot<G>& s = look(t + h, of, load_pose<G>(state.data()), end, memory, false);
    store_power(s.power, state);
    tally(start, h / 6.0, work);
    tally(middle, h / 1.5, work);
    tally(s.power, h / 6.0, work);
    report.torque = readout_.torque(s, memory.work);
    report.residual = end.residual;
    Infeasible found = load_faults(state);
    found.count(s.feasible || s.contacts == 0, s.left_norm, t + h);  // without any there is nothing to share
    store_faults(found, state);
    report.finite = Base::all_finite(state);
    return report;
  }

  bool is_given() const override { return true; }
  std::string push_refusal() const override {
    return "the strain of this rod and its contacts decide where it goes, and a force would only change what the "
           "contacts have to hold: push a rod that loads move, as rod-swimmer or soft-rod";
  }

  void read(double t, const PlantInput&, std::span<const double> state, std::span<double> out,
            Scratch& scratch) const override {
    SINEW_ASSERT(int(state.size()) == state_size() && out.size() == Base::readings().size());
    Memory& memory = static_cast<Memory&>(scratch);
    const G head = load_pose<G>(state.data());
    Snapshot<G>& s = look(t, t, head, connection(t, t, head, load_twist<G>(state.data() + pose), memory), memory, true);
    s.pose = Base::pose_read(head, state);
    readout_.write(rod_, s, memory.work, out);
  }

 private:
  // A step from t and the pose g. of: the time whose contacts hold during it.
  struct Span {
    double t, h, of;
    G g;
  };

  static void store_power(const PlantPower& p, std::span<double> state) {
    state[powers] = p.actuators;
    state[powers + 1] = p.external;
    state[powers + 2] = p.friction;
  }
  static PlantPower load_power(std::span<const double> state) {
    return {state[powers], state[powers + 1], 0.0, state[powers + 2]};
  }

  static void store_faults(const Infeasible& f, std::span<double> state) {
    state[faults] = f.steps;
    state[faults + 1] = f.first;
    state[faults + 2] = f.worst;
    state[faults + 3] = f.worst_time;
  }
  static Infeasible load_faults(std::span<const double> state) {
    return {state[faults], state[faults + 1], state[faults + 2], state[faults + 3]};
  }

  Connection<G> connection(double t, double of, const G& head, const Twist& free, Memory& memory) const {
    if (plan_.connect == Connect::Shape) return connect_by_shape(rod_, t);
    if (plan_.connect == Connect::Given) {
      Connection<G> c{Twist::zero(), Twist::zero(), n, 1.0, 0.0, 0, {}};
      plan_.given(t, c.eta_o, c.eta_o_t);
      return c;
    }
    Contact<G> contacts[most_contacts];
    const int count = plan_.contacts(t, of, contacts);
    SINEW_ASSERT(count >= 0 && count <= most_contacts);
    return connect<G>(rod_, t, head, {{contacts, std::size_t(count)}, free}, memory.work, memory.svd);
  }

  // The head's twist depends on time alone: two steps of Runge-Kutta-Munthe-Kaas, because it costs little beside the forces.
  Connection<G> follow(const Span& step, const Twist& eta, std::span<double> state, PlantPower& middle,
                       Memory& memory) const {
    const auto& [t, h, of, g] = step;
    Connection<G> c = connection(t + 0.25 * h, of, g, eta, memory);
    const Twist quarter = c.eta_o;
    c = connection(of, of, g, eta, memory);
    const Twist at_middle = c.eta_o;
    move_pose<G>(state.data(), half(0.5 * h, eta, quarter, at_middle));
    middle = look(of, of, load_pose<G>(state.data()), c, memory, false).power;
    c = connection(t + 0.75 * h, of, g, eta, memory);
    const Twist three_quarters = c.eta_o;
    c = connection(t + h, of, g, eta, memory);
    move_pose<G>(state.data(), half(0.5 * h, at_middle, three_quarters, c.eta_o));
    return c;
  }
  static Twist half(double h, const Twist& a, const Twist& b, const Twist& e) {
    const Twist k2 = local_rate(a * (0.5 * h), b), k3 = local_rate(k2 * (0.5 * h), b), k4 = local_rate(k3 * h, e);
    return (a + (k2 + k3) * 2.0 + k4) * (h / 6.0);
  }

  // Something is free and has a velocity of its own: pose and twist together.
  Connection<G> glide(const Span& step, const Twist& eta, const Connection<G>& c1, std::span<double> state,
                      PlantPower& middle, Memory& memory) const {
    const auto& [t, h, of, g] = step;
    const auto find = [&](double time, const Twist& u, const Twist& free) {
      return connection(time, step.of, step.g * exponential<G>(u), free, memory);
    };
    const Twist k1 = c1.eta_o;
    const Connection<G> c2 = find(of, k1 * (0.5 * h), eta + c1.eta_o_t * (0.5 * h));
    const Twist k2 = local_rate(k1 * (0.5 * h), c2.eta_o);
    const Connection<G> c3 = find(of, k2 * (0.5 * h), eta + c2.eta_o_t * (0.5 * h));
    const Twist k3 = local_rate(k2 * (0.5 * h), c3.eta_o);
    const Connection<G> c4 = find(t + h, k3 * h, eta + c3.eta_o_t * h);
    const Twist k4 = local_rate(k3 * h, c4.eta_o), u = (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0);
    const Twist u_m = (k1 * 5.0 + (k2 + k3) * 4.0 - k4) * (h / 24.0);
    middle = look(of, of, g * exponential<G>(u_m), c3, memory, false).power;
    move_pose<G>(state.data(), u);
    return find(t + h, u, eta + (c1.eta_o_t + (c2.eta_o_t + c3.eta_o_t) * 2.0 + c4.eta_o_t) * (h / 6.0));
  }

  // Forces for a known motion of the head; closely: also what only a reader wants to know.
  Snapshot<G>& look(double t, double of, const G& head, const Connection<G>& c, Memory& memory, bool closely) const {
    Snapshot<G>& s = memory.snapshot;
    s.t = t;
    s.head = head;
    s.eta_o = c.eta_o;
    s.eta_o_t = c.eta_o_t;
    s.connection = c;
    s.totals = pass_along(rod_, t, head, c.eta_o, Depth::Powers, memory.work);
    s.F_c = s.totals.M_o * c.eta_o_t - s.totals.F_o;
    s.contacts = plan_.contacts ? plan_.contacts(t, of, s.contact) : 0;
    for (int i = 0; i < s.contacts; i++)
      s.contact_node[i] = closely ? node_at(rod_, t, s.contact[i].C, memory.work, Depth::Motion)
                                  : place_at(rod_, s.contact[i].C, memory.work);
    memory.reactions.inspect = closely;
    share_reactions(s, memory);
    settle_power(s);
    return s;
  }

  // Unit wrenches of a contact: its components, or, with friction, the edges of its cone.
  static constexpr int edges = n == 6 ? 8 : 2;
  int unit_wrenches(const Contact<G>& c, Twist (&out)[8], double (&weight)[8], int (&sign)[8]) const {
    if (plan_.share == Share::Friction && c.kind == ContactKind::Support && c.side != 0 && n > 1) {
      for (int k = 0; k < edges; k++) {
        const double a = 2.0 * 3.14159265358979323846 * k / edges;
        out[k] = Twist::zero();
        out[k][1] = c.side;
        out[k][0] = c.mu * math::cos(a);
        if (n == 6) out[k][2 % n] = c.mu * math::sin(a);
        weight[k] = 1.0;
        sign[k] = 1;
      }
      return edges;
    }
    const int first = first_row<G>(c.kind), count = row_count<G>(c.kind);
    for (int k = 0; k < count; k++) {
      const int e = first + k;
      out[k] = Twist::unit(e);
      weight[k] = n > 1 && e >= directions<G> ? plan_.couple_length : 1.0;
      sign[k] = e == 1 && c.kind == ContactKind::Support ? c.side : 0;
    }
    return count;
  }

  void share_reactions(Snapshot<G>& s, Memory& memory) const {
    Reactions& r = memory.reactions;
    r.clear(n);
    Twist unit[8];
    double weight[8];
    int sign[8];
    for (int i = 0; i < s.contacts; i++) {
      const int count = unit_wrenches(s.contact[i], unit, weight, sign);
      for (int k = 0; k < count; k++) r.add(to_base(s.contact_node[i].g, unit[k]).e, weight[k], sign[k]);
    }
    distribute(plan_.share, plan_.regularisation, s.F_c.e, r, memory.svd);
    int at = 0;
    for (int i = 0; i < s.contacts; i++) {
      const int count = unit_wrenches(s.contact[i], unit, weight, sign);
      s.reaction[i] = Twist::zero();
      for (int k = 0; k < count; k++) s.reaction[i] += unit[k] * r.x[at++];
      s.reaction_at_head[i] = to_base(s.contact_node[i].g, s.reaction[i]);
    }
    s.feasible = r.feasible;
    s.left_norm = r.left_norm;
    for (int k = 0; k < n; k++) {
      s.left[k] = r.left[k];
      s.singular[k] = r.singular[k];
    }
  }

  KinematicPlan<G> plan_;
};

}  // namespace

template <class G>
std::shared_ptr<const SectionPlant> make_kinematic(KinematicPlan<G> plan) {
  SINEW_CHECK(plan.rod.law, "make_kinematic: a rod without a law of strain");
  SINEW_CHECK(plan.connect != Connect::Contacts || plan.contacts, "make_kinematic: no schedule of contacts");
  SINEW_CHECK(plan.connect != Connect::Given || plan.given, "make_kinematic: no motion of the head is given");
  return std::make_shared<Kinematic<G>>(std::move(plan));
}
template std::shared_ptr<const SectionPlant> make_kinematic<Line>(KinematicPlan<Line>);
template std::shared_ptr<const SectionPlant> make_kinematic<Plane>(KinematicPlan<Plane>);
template std::shared_ptr<const SectionPlant> make_kinematic<Space>(KinematicPlan<Space>);

}  // namespace sinew::rod
