// One clock for the robot, the plots and the numbers. `edge`: it stays with the newest row of a live run.

export interface Clock {
  t: number;
  first: number;
  last: number;
  playing: boolean;
  speed: number;
  loop: boolean;
  live: boolean; // the end is where the run is: there it joins the edge instead of beginning anew
  edge: boolean;
}

export const speeds = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20];

export const makeClock = (): Clock => ({ t: 0, first: 0, last: 0, playing: false, speed: 1, loop: true, live: false, edge: false });

// The take has grown, or is another one.
export function setRange(clock: Clock, first: number, last: number): void {
  clock.first = first;
  clock.last = last;
  clock.t = clock.edge ? last : Math.min(Math.max(clock.t, first), last);
}

// seconds: that have passed on the wall. Says whether time has moved.
export function advance(clock: Clock, seconds: number): boolean {
  if (clock.edge || !clock.playing || clock.last <= clock.first) return false;
  let t = clock.t + seconds * clock.speed;
  if (t >= clock.last) {
    if (clock.live) {
      t = clock.last;
      clock.edge = true;
    } else if (clock.loop) t = clock.first + ((t - clock.first) % (clock.last - clock.first));
    else {
      t = clock.last;
      clock.playing = false;
    }
  }
  const moved = t !== clock.t;
  clock.t = t;
  return moved;
}

export function seek(clock: Clock, t: number): void {
  clock.edge = false;
  clock.t = Math.min(Math.max(t, clock.first), clock.last);
}
