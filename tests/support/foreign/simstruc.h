/* As much of Simulink as examples/bridge/simulink_robot.c uses, with its names, so that the example is compiled and run where there is no MATLAB. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int int_T;
typedef struct {
  const char *parameter, *error;
  double *input, *output, period;
  int n_inputs, n_outputs, stops;
} SimStruct;

#define ssSetNumSFcnParams(S, n) ((void)(S), (void)(n))
#define ssSetNumInputPorts(S, n) ((void)(S), (n))
#define ssSetNumOutputPorts(S, n) ((void)(S), (n))
#define ssSetInputPortWidth(S, port, n) ((S)->n_inputs = (n))
#define ssSetInputPortDirectFeedThrough(S, port, on) ((void)(S))
#define ssSetInputPortRequiredContiguous(S, port, on) ((void)(S))
#define ssSetOutputPortWidth(S, port, n) ((S)->n_outputs = (n))
#define ssSetNumSampleTimes(S, n) ((void)(S))
#define ssSetSampleTime(S, i, T) ((S)->period = (T))
#define ssSetOffsetTime(S, i, t) ((void)(S))
#define ssGetSFcnParam(S, i) ((S)->parameter)
#define mxGetString(from, to, size) (snprintf(to, size, "%s", from))
#define ssSetErrorStatus(S, text) ((S)->error = (text))
#define ssSetStopRequested(S, on) ((S)->stops = (on))
#define ssGetOutputPortRealSignal(S, port) ((S)->output)
#define ssGetInputPortRealSignal(S, port) ((const double*)(S)->input)
