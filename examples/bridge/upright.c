/* A controller in 40 lines of C: swings the pendulum up to the top and holds it there, through shared memory.
 *   sinew bridge pendulum --header robot.h
 *   cc -O2 -I. -o upright upright.c -lrt -lm
 *   sinew bridge pendulum --shm pendulum & ./upright pendulum
 * Either may be started first. See docs/bridge.md. */
#include "robot.h"

#include <math.h>
#include <stdio.h>

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "pendulum";
  const double top = -1.5707963267948966; /* joint.pivot.q where the bob is above the pivot [rad] */
  sinew_link robot = {0};
  sinew_measured in = {0};
  sinew_references out;
  int found;
  sinew_clear(&out);
  while ((found = sinew_open(&robot, name)) == 1) usleep(20000); /* no robot there yet */
  if (found != 0) {
    fprintf(stderr, found == 2 ? "another controller is at work\n" : "robot.h is of another robot: write it anew\n");
    return 2;
  }
  sinew_send(&robot, NULL, &out);          /* hello */
  while (sinew_receive(&robot, &in) == 0) { /* until the robot stops */
    for (int i = 0; i < SINEW_DEVICES; i++) /* all devices shall work; faults are forgotten */
      out.control[i] = SINEW_OP | (in.fault[i] ? SINEW_RESET : 0);
    double torque = 80.0 * (top - in.joint_pivot_q) - 20.0 * in.joint_pivot_u;
    out.joint_pivot_torque = fmax(-50.0, fmin(50.0, torque)); /* [N m] */
    sinew_send(&robot, &in, &out);
  }
  printf("t = %.3f s: %.6f rad from the top\n", in.t, in.joint_pivot_q - top);
  return 0;
}
