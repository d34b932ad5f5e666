import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildDesktop } from './builds.ts';
import { whyNoDisplay } from './display.ts';
import { fetchRuntime, findRuntime, sandboxAdvice } from './runtime.ts';

/** What a program's loader says where libraries of the system are missing. */
const MISSING_LIBRARY = 127;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Opens the window and resolves when it has ended. Answers why there is none, in a clause; undefined where there was one. */
export async function runDesktop(root: string, args: readonly string[]): Promise<string | undefined> {
  const { env } = process;
  const noDisplay = await whyNoDisplay(env);
  if (noDisplay !== undefined) return noDisplay;
  const note = join(root, 'dist', 'no-electron.txt');
  const program = findRuntime(root, env) ?? (await fetchRuntime(root, note, env));
  if (program === undefined) return 'there is no Electron runtime; fetch it by: npx install-electron';
  const advice = sandboxAdvice(program);
  if (advice !== undefined) return advice;
  if (!buildDesktop(root)) return 'it could not be built';
  const code = await runElectron(program, [...rootSwitches(), root, ...args]);
  if (code === MISSING_LIBRARY) return 'Electron misses libraries of this system, named above';
  process.exitCode = code;
  return undefined;
}

/** Chromium refuses to sandbox what root runs. */
function rootSwitches(): string[] {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return [];
  process.stdout.write('Running as root: the window has no sandbox. Start Pickstation as a normal user to have one.\n');
  return ['--no-sandbox'];
}

function runElectron(program: string, args: readonly string[]): Promise<number> {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  // A group of its own: Ctrl+C reaches it once, by us, and not each of its processes by itself.
  const child = spawn(program, args, { stdio: 'inherit', env, detached: process.platform !== 'win32' });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  return new Promise<number>((resolve) => {
    child.once('error', () => resolve(MISSING_LIBRARY));
    child.once('exit', (code) => resolve(code ?? 1));
  }).finally(() => {
    for (const signal of SIGNALS) process.off(signal, pass);
  });
}
