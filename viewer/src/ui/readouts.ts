// The few numbers that are always asked for.
import { rowAtTime, valueOf, type Take } from "../data/take";
import { readable, unitText } from "../math/nice";
import { h, setText } from "./dom";

interface Number_ {
  label: string;
  unit: string;
  tip: string;
  of: (take: Take, row: number) => number;
}
export interface ReadOuts {
  element: HTMLElement;
  setTake(take: Take | null): void;
  update(take: Take, t: number): void;
}

const column = (take: Take, name: string): number => take.index.get(name) ?? -1;

function choose(take: Take): Number_[] {
  const plain = (label: string, name: string, unit: string, tip: string): Number_[] => {
    const c = column(take, name);
    return c < 0 ? [] : [{ label, unit, tip, of: (t, row) => valueOf(t, row, c) }];
  };
  const energies = ["kinetic", "potential", "elastic"].map((e) => column(take, `energy.${e}`)).filter((c) => c >= 0);
  const energy: Number_[] = energies.length
    ? [{ label: "Energy", unit: "J", tip: "kinetic + potential + elastic", of: (t, row) => energies.reduce((sum, c) => sum + valueOf(t, row, c), 0) }]
    : [];
  return [
    ...plain("Time", "t", "s", "simulated time"),
    ...plain("Speed", "com.speed", "m/s", "of the centre of mass"),
    ...energy,
    ...plain("Contacts", "contacts.count", "", "points that touch now"),
    ...plain("Normal force", "contacts.normal", "N", "sum over all contacts"),
  ];
}

export function makeReadOuts(): ReadOuts {
  const element = h("dl", { class: "readouts", "aria-label": "Numbers" });
  let numbers: Number_[] = [];
  let values: HTMLElement[] = [];
  return {
    element,
    setTake: (take) => {
      numbers = take ? choose(take) : [];
      values = numbers.map(() => h("b", {}));
      element.replaceChildren(...numbers.map((n, i) => h("div", { title: n.tip }, h("dt", {}, n.label), h("dd", {}, values[i], " ", unitText(n.unit)))));
    },
    update: (take, t) => {
      if (take.rows.count === 0) return;
      const row = rowAtTime(take, t);
      numbers.forEach((n, i) => {
        const x = n.of(take, row);
        setText(values[i]!, n.label === "Time" ? t.toFixed(2) : n.unit === "" ? String(x) : readable(Math.abs(x) < 1e-9 ? 0 : x));
      });
    },
  };
}
