/* A robot of sinew as a block of Simulink: an S-function whose input are references and whose output are measured values, through shared memory.
 *   sinew bridge SCENARIO --header robot.h
 *   mex simulink_robot.c                          in MATLAB, beside robot.h
 *   sinew bridge SCENARIO --shm robot             then start the model; the block's parameter is 'robot'
 * The numbers of both ports are in the order of sinew_references_name and sinew_measured_name. Of drives, 1e300 is a set-point that is not given.
 * One block a model: a robot has one controller. See docs/bridge.md. */
#define S_FUNCTION_NAME simulink_robot
#define S_FUNCTION_LEVEL 2
#include "robot.h"
#include "simstruc.h"

static sinew_link robot;
static sinew_measured in;
static sinew_references out;

static void mdlInitializeSizes(SimStruct *S) {
  ssSetNumSFcnParams(S, 1);
  if (!ssSetNumInputPorts(S, 1) || !ssSetNumOutputPorts(S, 1)) return;
  ssSetInputPortWidth(S, 0, SINEW_REFERENCES);
  ssSetInputPortDirectFeedThrough(S, 0, 0); /* references act after the values from which they follow */
  ssSetInputPortRequiredContiguous(S, 0, 1);
  ssSetOutputPortWidth(S, 0, SINEW_MEASURED);
  ssSetNumSampleTimes(S, 1);
}

static void mdlInitializeSampleTimes(SimStruct *S) {
  ssSetSampleTime(S, 0, SINEW_CYCLE);
  ssSetOffsetTime(S, 0, 0.0);
}

#define MDL_START
static void mdlStart(SimStruct *S) {
  static const char *const problems[] = {"", "no robot is there", "another controller is at work", "robot.h is of another robot"};
  char name[101];
  int found = 1;
  mxGetString(ssGetSFcnParam(S, 0), name, sizeof name);
  for (int i = 0; i < 500 && found == 1; i++) /* 10 s for the robot to come */
    if ((found = sinew_open(&robot, name)) == 1) usleep(20000);
  if (found != 0) {
    ssSetErrorStatus(S, problems[found]);
    return;
  }
  sinew_clear(&out);
  sinew_send(&robot, NULL, &out); /* hello */
}

static void mdlOutputs(SimStruct *S, int_T tid) {
  (void)tid;
  if (sinew_receive(&robot, &in) != 0) ssSetStopRequested(S, 1); /* the robot has stopped */
  memcpy(ssGetOutputPortRealSignal(S, 0), in.value, sizeof in.value);
}

#define MDL_UPDATE
static void mdlUpdate(SimStruct *S, int_T tid) {
  (void)tid;
  memcpy(out.value, ssGetInputPortRealSignal(S, 0), sizeof out.value);
  for (int i = 0; i < SINEW_DEVICES; i++) out.control[i] = (uint16_t)(SINEW_OP | (in.fault[i] ? SINEW_RESET : 0));
  sinew_send(&robot, &in, &out);
}

static void mdlTerminate(SimStruct *S) {
  (void)S;
  if (robot.memory) sinew_close(&robot);
}

#ifdef MATLAB_MEX_FILE
#include "simulink.c"
#else
#include "cg_sfun.h"
#endif
