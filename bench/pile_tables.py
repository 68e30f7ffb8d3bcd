"""Tables and goals of the piles of bodies, beside Bullet and ODE."""
SHALLOWER = 10.0  # times: deepest penetration of the last second against the peers'
PEERS = ("bullet_10", "ode_20")  # as they come
OURS = "sinew_2e-3"


def print_piles(rows, goals):
    scenes = sorted({name.split("/")[1] for name in rows if name.startswith("pile/")})
    for scene in scenes:
        at = {name.split("/")[2]: row for name, row in rows.items() if name.startswith(f"pile/{scene}/")}
        print(f"{'pile, ' + scene + ', steps of 1/240 s':32}{'us/step':>9}{'last s':>9}{'deepest [mm]':>14}{'mean [mm]':>12}"
              f"{'drift [mm]':>12}{'rolled':>9}{'energy [J]':>12}{'contacts':>10}{'sweeps':>8}{'not solved':>12}")
        for who in sorted(at, key=lambda who: (not who.startswith("sinew"), who)):
            row = at[who]
            print(f"  {who:30}{row['us_step']:9.0f}{row['us_last']:9.0f}{row['deep_mm']:14.3g}{row['mean_mm']:12.3g}"
                  f"{row['drift_mm']:12.3g}{row['rolled_mm']:9.3g}{row['energy_J']:12.1f}{row['contacts']:10.0f}{row['iterations']:8.1f}"
                  f"{row['unsolved']:12.0f}")
        peers = [at[who] for who in PEERS if who in at]
        if OURS in at and peers:
            ours, fastest = at[OURS], min(row["us_step"] for row in peers)
            deep = min(row["deep_mm"] for row in peers) / max(ours["deep_mm"], 1e-12)
            print(f"  the faster peer takes {fastest / ours['us_step']:.2f} times our time, goal 1: "
                  f"{goals.mark(fastest >= ours['us_step'])}; the shallower one is {deep:.1f} times as deep, "
                  f"goal {SHALLOWER:.0f}: {goals.mark(deep >= SHALLOWER)}")
        print()
