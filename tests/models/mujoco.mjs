// MuJoCo 3 of npm as a servant of check_models: a request a line, an answer a line, which are words and numbers with a space between them.
//   load FILE         -> model NV | then a line each: joints: qpos qvel body name, ...; names of bodies; qpos at ref; masses of bodies with all
//                        that they carry    or: error WHAT
//   forward Q... U... -> places of bodies, M row by row, bias
// It runs in the folder of its package: node mujoco.mjs, whose imports start there.
import fs from 'node:fs';
import readline from 'node:readline';
import load from '@mujoco/mujoco';

const mujoco = await load();
let model = null;
let data = null;

const give = (...lines) => fs.writeSync(1, lines.map((line) => line + '\n').join(''));
const words = (numbers) => Array.from(numbers).join(' ');
const names = (kind, count) =>
  Array.from({length: count}, (_, i) => (mujoco.mj_id2name(model, kind.value, i) || '-').replaceAll(' ', '_'));

// The meshes of the file, by the same names, where the library looks for them.
function lend_files(text) {
  for (const [, file] of text.matchAll(/<mesh [^>]*file="([^"]+)"/g)) {
    if (!fs.existsSync(file)) continue;
    mujoco.FS.mkdirTree(file.slice(0, file.lastIndexOf('/')));
    mujoco.FS.writeFile(file, fs.readFileSync(file));
  }
}

function read(file) {
  data?.delete();
  model?.delete();
  data = model = null;
  const text = fs.readFileSync(file, 'utf8');
  try {
    lend_files(text);
    model = mujoco.MjModel.from_xml_string(text);
  } catch (error) {
    return give('error ' + String(error.message).replace(/\s+/g, ' '));
  }
  data = new mujoco.MjData(model);
  const joints = names(mujoco.mjtObj.mjOBJ_JOINT, model.njnt);
  const at = (j) => `${model.jnt_qposadr[j]} ${model.jnt_dofadr[j]} ${model.jnt_bodyid[j]} ${joints[j]}`;
  give(`model ${model.nv}`, joints.map((_, j) => at(j)).join(' '),
    names(mujoco.mjtObj.mjOBJ_BODY, model.nbody).join(' '), words(model.qpos0), words(model.body_subtreemass));
}

function forward(numbers) {
  data.qpos.set(numbers.slice(0, model.nq));
  data.qvel.set(numbers.slice(model.nq));
  mujoco.mj_forward(model, data);
  const M = new mujoco.DoubleBuffer(model.nv * model.nv);
  mujoco.mj_fullM(model, data, M);
  give(words(data.xpos), words(M.GetView()), words(data.qfrc_bias));
  M.delete();
}

give('ready');
for await (const line of readline.createInterface({input: process.stdin})) {
  const [what, ...rest] = line.split(' ');
  if (what === 'load') read(rest.join(' '));
  else forward(rest.map(Number));
}
