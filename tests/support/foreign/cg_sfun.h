/* A stand-in (simstruc.h): Simulink, with a model that holds the pendulum at its top. Argument: name of the shared memory. */
#pragma once

int main(int argc, char** argv) {
  const double top = -1.5707963267948966;
  SimStruct s = {.parameter = argc > 1 ? argv[1] : ""};
  mdlInitializeSizes(&s);
  mdlInitializeSampleTimes(&s);
  s.input = calloc((size_t)s.n_inputs, sizeof(double));
  s.output = calloc((size_t)s.n_outputs, sizeof(double));
  mdlStart(&s);
  if (s.error) {
    fprintf(stderr, "%s\n", s.error);
    return 2;
  }
  while (1) {
    mdlOutputs(&s, 0);
    if (s.stops) break;
    double torque = 80.0 * (top - s.output[1]) - 20.0 * s.output[2]; /* t, q, u */
    s.input[0] = torque > 50.0 ? 50.0 : torque < -50.0 ? -50.0 : torque;
    mdlUpdate(&s, 0);
  }
  mdlTerminate(&s);
  printf("%.6f rad from the top, %g s a cycle\n", s.output[1] - top, s.period);
  free(s.input);
  free(s.output);
  return 0;
}
