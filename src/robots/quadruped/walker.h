// The same quadruped in any phase of contact and with any tail (docs/theory/quadruped.md#other-phases-and-tails), by virtual work.
//   M u' + C + G = B tau,     u = (v, w, z' of the tail, then ha', hb', k' of each leg whose foot is free, in the order of the legs)
// A held foot stands still, a free leg has its own three speeds, a locked one is part of the plate. Four held feet: the stance
// equations of quadruped.h; none: flight. v and w in the world's axes S outside, in the plate's axes P inside.
#pragma once
#include <span>
#include <vector>

#include "robots/quadruped/stance.h"

namespace sinew::legged {

enum class LegMode { Held, Free, Locked };

struct WalkerState {
  Vec3d p, v, w;  // in S
  Mat3d R;
  std::vector<double> tail, tail_rate;
  std::array<LegMode, 4> mode{};
  Feet foot{};                                        // of held legs, in S
  std::array<LegAngles, 4> theta{};                   // of the others
  std::array<std::array<double, 3>, 4> theta_rate{};  // of free legs: ha', hb', k'
};

struct WalkerTorques {
  std::array<std::array<double, 3>, 4> leg{};  // ha, hb, k of each leg; of locked legs without meaning
  std::vector<double> tail;
};

class Walker {
 public:
  explicit Walker(const Quadruped& robot);
  // False: a held foot is out of reach; nothing else may be asked then.
  bool evaluate(const WalkerState& state);

  int size() const { return n_; }  // of u
  int tail_size() const { return tail_.n_z; }
  // In P, as u is ordered; M row by row, both triangles.
  double M(int i, int k) const { return M_[i * n_ + k]; }
  double C(int i) const { return C_[i]; }
  double G(int i) const { return G_[i]; }

  void forward(const WalkerTorques& tau, std::span<double> u_rate);  // in S
  // Flight with locked legs and a tail that moves as it is told, z'' given: v' and w' in S, and the torques that this takes.
  void carry_tail(std::span<const double> z_accel, Vec3d& v_rate, Vec3d& w_rate, std::span<double> torque);
  // Of held legs, in S; zero for the others.
  Feet foot_forces(std::span<const double> u_rate, const WalkerTorques& tau) const;
  // v and w (in S) that leave both momenta zero with the tail moving so; legs at rest.
  void reconstruct(std::span<const double> tail_rate, Vec3d& v, Vec3d& w);

  double kinetic() const { return T_; }
  double potential() const { return V_; }
  double mass() const { return robot_.mass(); }
  Vec3d mass_centre() const { return com_; }  // in S
  Vec3d linear_momentum() const;              // in S
  Vec3d angular_momentum() const;             // about the mass centre, in S

  // Inertia of plate and legs without the tail about their common mass centre, in P; all legs locked or free.
  struct Composite {
    double m;
    Vec3d com;
    Sym3d I;
  };
  Composite composite() const;

 private:
  struct End {  // of a bar
    std::vector<Vec3d> J;
    Vec3d a0, x, rate;
  };
  void add_bar(const End& one, const End& two, int cols, const int* at, double m);
  void add_tail_point(int i);
  bool add_leg(int i, const WalkerState& state);
  void add_tail(const WalkerState& state);
  void set_plate_point(const Vec3d& x, End& end) const;
  void actuate(const WalkerTorques& tau, double* Q) const;
  bool factor(int n);
  void solve(int n, double* x) const;

  Quadruped robot_;
  TailPoints tail_;
  PlateMotion plate_;
  std::array<HeldLeg, 4> held_;
  std::array<LegMode, 4> mode_{};
  std::array<LegPose, 4> pose_;
  std::array<int, 4> column_{};
  int n_ = 0;
  std::vector<double> M_, L_, C_, G_, u_, scratch_;
  End ends_[3];
  std::vector<int> at_;
  double T_ = 0.0, V_ = 0.0;
  Vec3d com_;
};

}  // namespace sinew::legged
