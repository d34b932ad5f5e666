import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Starts an installed program with an empty data folder, requests its version, and stops it. Used by the workflow that builds releases:
 * `node tools/startInstalled.ts PROGRAM [ARGUMENT ...]`. Fails after two minutes.
 */

const LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 250;

const [program, ...args] = process.argv.slice(2);
if (program === undefined) throw new Error('Usage: node tools/startInstalled.ts PROGRAM [ARGUMENT ...]');
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as {
  version: string;
};

const dataFolder = mkdtempSync(join(tmpdir(), 'pickstation-installed-'));
const child = spawn(program, [...args, '--port', '0', '--data', dataFolder], { stdio: 'inherit' });
const ended = new Promise<string>((resolve) => {
  child.once('error', (error) => resolve(error.message));
  child.once('exit', (code, signal) => resolve(`it ended with ${code ?? signal}`));
});
try {
  const said = await Promise.race([health(), ended.then((how) => Promise.reject(new Error(`Not started: ${how}`)))]);
  const expected = JSON.stringify({ status: 'ok', version });
  if (said !== expected) throw new Error(`/healthz answered ${said} instead of ${expected}`);
  console.log(`${program} answers ${said}`);
} finally {
  // Windows does not support this signal and ends the program immediately.
  child.kill('SIGTERM');
  console.log(await ended);
  rmSync(dataFolder, { recursive: true, force: true, maxRetries: 10 });
}

/** Waits until the station has written its address. Resolves to the response of `/healthz`. */
async function health(): Promise<string> {
  const file = join(dataFolder, 'address.json');
  const giveUpAt = performance.now() + LIMIT_MS;
  while (performance.now() < giveUpAt) {
    await pause(LOOK_EVERY_MS);
    if (!existsSync(file)) continue;
    try {
      const { url } = JSON.parse(readFileSync(file, 'utf8')) as { url: string };
      return await (await fetch(new URL('/healthz', url))).text();
    } catch {
      // Try again: the file is incomplete, or the station is not listening yet.
    }
  }
  throw new Error(`No station within ${LIMIT_MS / 1_000} s`);
}
