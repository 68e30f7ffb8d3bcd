"""A flat snake without inertia, as a second method for lateral undulation.

The joints follow the gait exactly, every sphere bears the same load N, and friction is Coulomb's with an ellipse. The three
velocities xi = (v_x, v_y, w) of the robot as a whole are those at which friction takes the least power,
    minimise  sum_k |D_k v_k(xi)|,   D_k = diag(mu_long, mu_trans) in the axes of link k,   v_k(xi) = J_k xi + s_k,
which is the balance of forces and of moments. s_k: velocity of sphere k by the joints alone, in axes that move with link 1
and at the centre of mass. Solved by iteratively reweighted least squares, where |v| is smoothed below 1e-5 m/s.
Nothing depends on mass, load or frequency.
"""

import math

LENGTH, SPHERE, LINKS = 0.122, 0.0393, 11  # distance of joints, of a sphere from its link's centre [m], number of links


class Wave:
    """yaw_i = amplitude sin(2 pi t - (i-1) d) + offset, one period a unit of time."""

    def __init__(self, amplitude_deg, waves, offset_deg=0.0):
        self.amplitude, self.offset = math.radians(amplitude_deg), math.radians(offset_deg)
        self.d = 2 * math.pi * waves / LINKS

    def headings(self, t):
        """Heading of every link against link 1, and its rate."""
        angle, rate, result = 0.0, 0.0, [(0.0, 0.0)]
        for i in range(LINKS - 1):
            phase = 2 * math.pi * t - i * self.d
            angle += self.amplitude * math.sin(phase) + self.offset
            rate += self.amplitude * 2 * math.pi * math.cos(phase)
            result.append((angle, rate))
        return result


def rows_of_friction(links, mu):
    """For each sphere, two rows (a, b, c, s) with a v_x + b v_y + c w + s = one component of D v. The head points along +x."""
    x, y, u, v = [0.0], [0.0], [0.0], [0.0]
    for (a, a_rate), (b, b_rate) in zip(links, links[1:]):
        x.append(x[-1] - LENGTH / 2 * (math.cos(a) + math.cos(b)))
        y.append(y[-1] - LENGTH / 2 * (math.sin(a) + math.sin(b)))
        u.append(u[-1] + LENGTH / 2 * (math.sin(a) * a_rate + math.sin(b) * b_rate))
        v.append(v[-1] - LENGTH / 2 * (math.cos(a) * a_rate + math.cos(b) * b_rate))
    x0, y0, u0, v0 = (sum(values) / LINKS for values in (x, y, u, v))
    spheres = []
    for i, (angle, rate) in enumerate(links):
        c, s = math.cos(angle), math.sin(angle)
        for side in (SPHERE, -SPHERE):
            px, py = x[i] - x0 + side * c, y[i] - y0 + side * s
            vx, vy = u[i] - u0 - side * s * rate, v[i] - v0 + side * c * rate
            spheres.append([(m * ex, m * ey, m * (ey * px - ex * py), m * (ex * vx + ey * vy))
                            for m, ex, ey in ((mu[0], c, s), (mu[1], -s, c))])
    return spheres


def solve(H, g):
    """The solution of a positive definite system of three."""
    rows = [[*row, value] for row, value in zip(H, g)]
    for i in range(3):
        for j in range(i + 1, 3):
            factor = rows[j][i] / rows[i][i]
            rows[j] = [b - factor * a for a, b in zip(rows[i], rows[j])]
    result = [0.0] * 3
    for i in (2, 1, 0):
        result[i] = (rows[i][3] - sum(rows[i][j] * result[j] for j in range(i + 1, 3))) / rows[i][i]
    return result


def least_power(spheres, xi):
    for _ in range(200):
        H, g = [[0.0] * 3 for _ in range(3)], [0.0] * 3
        for rows in spheres:
            speed = math.sqrt(1e-10 + sum((a * xi[0] + b * xi[1] + c * xi[2] + s) ** 2 for a, b, c, s in rows))
            for *row, s in rows:
                for i in range(3):
                    g[i] -= row[i] * s / speed
                    for j in range(3):
                        H[i][j] += row[i] * row[j] / speed
        before, xi = xi, solve(H, g)
        if max(abs(a - b) for a, b in zip(xi, before)) < 1e-6:
            return xi
    raise ArithmeticError("the velocity of least power was not found")


def way(wave, mu, periods, steps=100):
    """Displacement of the centre of mass after whole periods, `steps` each; at the start the mean heading is along +x."""
    heading = -sum(angle for angle, _ in wave.headings(0.0)) / LINKS  # of link 1
    x, y, xi, dt = 0.0, 0.0, [0.0] * 3, 1.0 / steps
    for k in range(periods * steps):
        xi = least_power(rows_of_friction(wave.headings((k + 0.5) * dt), mu), xi)
        c, s = math.cos(heading + xi[2] * dt / 2), math.sin(heading + xi[2] * dt / 2)
        x, y = x + dt * (c * xi[0] - s * xi[1]), y + dt * (s * xi[0] + c * xi[1])
        heading += xi[2] * dt
    return x, y
