// A soft rod as an engine (docs/theory/soft_rods.md). Methods:
//   generalized-alpha   implicit, order 2, for stretch, shear and stiff rods; the default
//   rk4                 explicit, order 4 (Runge-Kutta-Munthe-Kaas for the base); needs dt w_max < 2.78
#pragma once
#include "sinew/rod/soft_steps.h"

namespace sinew::rod {

template <class G>
class Soft : public Engine {
 public:
  explicit Soft(const SoftPlan& plan);
  const SoftModel<G>& model() const { return m_; }
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<SoftScratch<G>>(m_); }
  const std::vector<Section>& sections() const override { return sections_; }
  const std::vector<Reading>& readings() const override { return readings_; }
  int state_size() const override { return layout_.size; }
  void start(std::span<double> state) const override;
  EngineReport step(std::string_view method, double t, double dt, std::span<double> state, EnginePower& work,
                    Scratch& scratch) const override;
  std::span<const std::string_view> methods() const override;
  void place(double t, std::span<const double> state, std::span<SectionMotion> out, Scratch& scratch) const override;
  void read(double t, std::span<const double> state, std::span<double> out, Scratch& scratch) const override;
  EngineEnergy energy(double t, std::span<const double> state, Scratch& scratch) const override;

 private:
  void name_readings();
  void list_sections();
  SoftMotion<G> motion(double t, std::span<const double> state) const;
  double evaluate(double t, std::span<const double> state, SoftScratch<G>& w) const;

  SoftModel<G> m_;
  SoftLayout<G> layout_;
  std::vector<Section> sections_;
  std::vector<Reading> readings_;
  std::vector<double> start_;
};

}  // namespace sinew::rod
