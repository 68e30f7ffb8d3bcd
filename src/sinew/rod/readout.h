// What the plants of strain-driven rods have to say about a moment: everything is worked out into a snapshot, and the readout
// turns it into numbers with names.
#pragma once
#include "sinew/model/section_plant.h"
#include "sinew/rod/contact.h"

namespace sinew::rod {

// A rod as its plant needs it, beside the rod itself.
struct ReadoutPlan {
  std::vector<double> X_profile;          // where wrenches and strains are read [m]
  std::vector<int> driven;                // components of the strain that actuators move; empty: all
  int sections = 20;                      // that are shown
  int slots = 0;                          // of contacts
  double limits[6] = {0, 0, 0, 0, 0, 0};  // of the efforts; 0: none
  bool swells = false;                    // keeps its volume: the radius follows the stretch
};

template <class G>
struct Snapshot {
  using Twist = typename G::Twist;
  double t;
  G head;
  Twist pose, eta_o, eta_o_t;  // pose: as numbers that are read
  Totals<G> totals;
  Connection<G> connection;
  int contacts = 0;
  Contact<G> contact[most_contacts];
  Twist reaction[most_contacts];          // in the axes of its section
  Twist reaction_at_head[most_contacts];  // seen from the head
  Node<G> contact_node[most_contacts];
  Twist F_c = Twist::zero();
  bool feasible = true;
  Twist left = Twist::zero();  // of F_c, that the contacts cannot provide
  double left_norm = 0.0;
  double singular[G::n];  // of the reactions' matrix
  // Wrenches on sections from outside.
  struct Push {
    double X;       // of the section [m]
    Twist at_head;  // the wrench, seen from the head
    Twist E;        // the section's motion, seen from the head
  };
  std::vector<Push> pushes;
  PlantPower power;
  double touch_time = -1.0;

  // Lambda at a node of the last pass, in its axes.
  Twist wrench(const Node<G>& node, const Mat<G::n>* added, double X) const;
};

// Of a stored pass: wrenches on sections, in world axes about their centres, into s.pushes; the sum of them at the head.
template <class G>
typename G::Twist push_sections(const Rod<G>& rod, const std::vector<Section>& sections,
                                std::span<const Wrench<double>> external, Workspace<G>& work, Snapshot<G>& s);

// Powers from the totals, the reactions and the pushes.
template <class G>
void settle_power(Snapshot<G>& s);

template <class G>
class Readout {
 public:
  Readout(const Rod<G>& rod, const ReadoutPlan& looks);
  const std::vector<PlantReading>& readings() const { return readings_; }
  const std::vector<Section>& sections() const { return sections_; }
  void write(const Rod<G>& rod, const Snapshot<G>& s, Workspace<G>& work, std::span<double> out) const;
  void place(const Rod<G>& rod, double t, const G& head, const typename G::Twist& eta_o, Workspace<G>& work,
             std::span<SectionMotion> out) const;
  // Largest couple (on the line: force) at a few nodes.
  double torque(const Snapshot<G>& s, const Workspace<G>& work) const;

 private:
  void name(const std::string& name, const std::string& unit, const std::string& description) {
    readings_.push_back({name, unit, description});
  }
  void name_head();
  void name_contacts();
  void name_profile();
  // Each writes from `out` on and moves it, in the order of the names.
  void write_head(const Rod<G>& rod, const Snapshot<G>& s, const Workspace<G>& work, double*& out) const;
  void write_contacts(const Snapshot<G>& s, const Workspace<G>& work, double*& out) const;
  void write_profile(const Rod<G>& rod, const Snapshot<G>& s, Workspace<G>& work, double*& out) const;
  ReadoutPlan looks_;
  std::vector<PlantReading> readings_;
  std::vector<Section> sections_;
};

template <class G>
double potential_energy(const Rod<G>& rod, const Totals<G>& totals, const G& head);

}  // namespace sinew::rod
