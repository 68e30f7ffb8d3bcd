// The kinematic algorithm (docs/theory/rods.md#kinematic-algorithm): contacts, or a given motion of the head, decide where the rod goes;
// forces follow. Block 0 finds the head's motion, one pass the resultant F_c of the reactions, which the contacts share; the same pass
// has the wrenches inside. State: pose and twist of the head, the powers at its time, and an
// account of steps whose reactions the contacts could not provide.
#pragma once
#include <functional>
#include <memory>

#include "sinew/rod/head.h"
#include "sinew/rod/readout.h"

namespace sinew::rod {

//   Contacts  the rows of the contacts, and the loads along what they leave free
//   Shape     supports everywhere: the curvature tells how fast the rod glides along itself
//   Given     the head's motion is prescribed
enum class Connect { Contacts, Shape, Given };
inline constexpr std::array<std::string_view, 3> connect_names{"contacts", "shape", "given"};

template <class G>
struct KinematicPlan {
  using Twist = typename G::Twist;
  Rod<G> rod;
  ReadoutPlan looks;
  G start = G::identity();
  Twist start_twist = Twist::zero();  // of it, what no contact decides
  Connect connect = Connect::Contacts;
  std::function<void(double t, Twist& eta_o, Twist& eta_o_t)> given;
  // Contacts at a time; `of` chooses between two sets when they change: those that hold at that time. Returns how many.
  std::function<int(double t, double of, Contact<G>* out)> contacts;
  bool switches = false;  // contacts change while their forces are not zero: powers jump
  Share share = Share::MinimumNorm;
  double regularisation = 1e6;
  double couple_length = 0.01;  // weighs couples against forces [m]
};

template <class G>
std::shared_ptr<const SectionPlant> make_kinematic(KinematicPlan<G> plan);

}  // namespace sinew::rod
