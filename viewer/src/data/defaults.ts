// What is plotted before anyone has chosen: what a newcomer asks first.
import { valueOf, type Take } from "./take";

const energies = ["energy.kinetic", "energy.potential", "energy.elastic", "energy.work_actuators", "energy.work_external", "energy.dissipated_friction", "energy.dissipated_damping", "energy.dissipated_impact"];

function spread(take: Take, column: number): number {
  let low = Infinity;
  let high = -Infinity;
  const step = Math.max(1, Math.floor(take.rows.count / 200));
  for (let row = 0; row < take.rows.count; row += step) {
    const v = valueOf(take, row, column);
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return high - low > 1e-9 * (1 + Math.abs(high)) ? high - low : 0; // else: only rounding
}

function firstOfOneUnit(take: Take): string[] {
  const rest = take.columns.filter((c) => c.name !== "t");
  return rest.filter((c) => c.unit === rest[0]!.unit).slice(0, 3).map((c) => c.name);
}

// Names by panel. Energies that hardly change beside the others would only be lines to wonder about; a live run has no past to judge by.
export function defaultPanels(take: Take): string[][] {
  const has = (name: string): boolean => take.index.has(name);
  const present = energies.filter(has).map((name) => ({ name, spread: spread(take, take.index.get(name)!) }));
  const most = Math.max(0, ...present.map((e) => e.spread));
  const shown = take.rows.count > 1 ? present.filter((e) => e.spread > 0.02 * most) : present.filter((e) => /kinetic|potential|actuators|friction/.test(e.name));
  const speed = take.index.get("com.speed");
  const moves = take.rows.count <= 1 || (speed !== undefined && (spread(take, speed) > 0 || valueOf(take, 0, speed) > 1e-9));
  const panels = [["com.speed"].filter((n) => has(n) && moves), shown.slice(0, 4).map((e) => e.name), ["contacts.normal"].filter(has)];
  const filled = panels.filter((p) => p.length > 0);
  return filled.length > 0 ? filled : [firstOfOneUnit(take)];
}
