// How one signal answers to another, frequency by frequency; as report/plot_bode.h of the program:
//   H(f) = sum (y_k+1 - y_k) e^(-2 pi i f t_k) / sum (x_k+1 - x_k) e^(-2 pi i f t_k)
// from 1 / duration to a quarter of the sampling rate, where the input has at least a twentieth of its strongest frequency.
export interface Bode {
  frequency: number[]; // [Hz]
  magnitude: number[]; // [dB]
  phase: number[]; // [deg], without jumps
}

const points = 120;
const leastShare = 0.05;

function spectrum(t: ArrayLike<number>, x: ArrayLike<number>, f: number): [number, number] {
  let re = 0;
  let im = 0;
  for (let k = 0; k + 1 < x.length; k++) {
    const d = x[k + 1]! - x[k]!;
    if (d === 0 || !Number.isFinite(d)) continue;
    const angle = -2 * Math.PI * f * t[k]!;
    re += d * Math.cos(angle);
    im += d * Math.sin(angle);
  }
  return [re, im];
}

// Empty: the input rests, or there are too few rows.
export function bodeOf(t: ArrayLike<number>, input: ArrayLike<number>, output: ArrayLike<number>): Bode {
  const out: Bode = { frequency: [], magnitude: [], phase: [] };
  if (t.length < 8) return out;
  const time = t[t.length - 1]! - t[0]!;
  const [least, most] = [1 / time, (0.25 * (t.length - 1)) / time];
  const frequencies = Array.from({ length: points }, (_, i) => least * (most / least) ** (i / (points - 1)));
  const given = frequencies.map((f) => spectrum(t, input, f));
  const strongest = Math.max(...given.map(([re, im]) => Math.hypot(re, im)));
  let before = 0;
  frequencies.forEach((f, i) => {
    const [a, b] = given[i]!;
    const size = Math.hypot(a, b);
    if (!(size > leastShare * strongest)) return;
    const [c, d] = spectrum(t, output, f);
    let turn = ((Math.atan2(d, c) - Math.atan2(b, a)) * 180) / Math.PI;
    turn += 360 * Math.round((before - turn) / 360);
    before = turn;
    out.frequency.push(f);
    out.magnitude.push(20 * Math.log10(Math.hypot(c, d) / size));
    out.phase.push(turn);
  });
  return out;
}
