import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildDesktop } from './builds.ts';
import { whyNoDisplay } from './display.ts';
import { fetchRuntime, findRuntime, sandboxAdvice } from './runtime.ts';

/** Exit code of the dynamic loader if system libraries are missing. */
const MISSING_LIBRARY = 127;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Opens the window. Resolves with undefined when the window has closed, or with a clause that says why it could not open. */
export async function runDesktop(root: string, args: readonly string[]): Promise<string | undefined> {
  const { env } = process;
  const noDisplay = await whyNoDisplay(env);
  if (noDisplay !== undefined) return noDisplay;
  const note = join(root, 'dist', 'no-electron.txt');
  const program = findRuntime(root, env) ?? (await fetchRuntime(root, note, env));
  if (program === undefined) {
    const tried = !env['ELECTRON_OVERRIDE_DIST_PATH'] && existsSync(note) ? ', and its download failed' : '';
    return `the Electron runtime is missing${tried}; download it with: npx install-electron`;
  }
  const advice = sandboxAdvice(program);
  if (advice !== undefined) return advice;
  if (!buildDesktop(root)) return 'the build failed';
  const code = await runElectron(program, [...rootSwitches(), root, ...args]);
  if (code === MISSING_LIBRARY) return 'system libraries that Electron needs are missing; see above';
  process.exitCode = code;
  return undefined;
}

/** Returns the switches that Electron needs when it runs as root, where Chromium refuses to run its sandbox. */
function rootSwitches(): string[] {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return [];
  process.stdout.write(
    'Running as root: the window has no sandbox. To have one, start Pickstation as a normal user.\n',
  );
  return ['--no-sandbox'];
}

function runElectron(program: string, args: readonly string[]): Promise<number> {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  // Use a separate process group, so that Ctrl+C reaches the window once, through us, and not also from the terminal.
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
