import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const REACH_LIMIT_MS = 5_000;
const FETCH_LIMIT_MS = 10 * 60_000;
const SOURCE = 'https://github.com/';

type Environment = Readonly<Record<string, string | undefined>>;

/** Paths of Electron's executable on macOS and Windows. */
const PROGRAM = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };

/** Returns the path of the Electron program in the folder ELECTRON_OVERRIDE_DIST_PATH, or as downloaded by Electron's package. */
export function findRuntime(root: string, environment: Environment): string | undefined {
  const { platform } = process;
  const name = platform === 'darwin' || platform === 'win32' ? PROGRAM[platform] : 'electron';
  const given = environment['ELECTRON_OVERRIDE_DIST_PATH'];
  const isFetched = existsSync(join(root, 'node_modules', 'electron', 'path.txt'));
  if ((given === undefined || given === '') && !isFetched) return undefined;
  const folder = given === undefined || given === '' ? join(root, 'node_modules', 'electron', 'dist') : given;
  return existsSync(join(folder, name)) ? join(folder, name) : undefined;
}

/**
 * Downloads the runtime once with Electron's own script. A failure is recorded in the file `note` and not retried for this version, so that
 * a machine without internet does not wait at each start. Returns the path of the program, or undefined.
 */
export async function fetchRuntime(root: string, note: string, environment: Environment): Promise<string | undefined> {
  const script = join(root, 'node_modules', 'electron', 'install.js');
  if (!existsSync(script) || !isWanted(environment)) return undefined;
  const version = versionOf(dirname(script));
  if (version === undefined || noted(note) === version) return undefined;
  if (await isReachable(environment['ELECTRON_MIRROR'] ?? environment['npm_config_electron_mirror'] ?? SOURCE)) {
    process.stdout.write('Fetching the window, once (about 120 MB) ...\n');
    spawnSync(process.execPath, [script], { stdio: ['ignore', 'inherit', 'ignore'], timeout: FETCH_LIMIT_MS });
  }
  const found = findRuntime(root, environment);
  if (found === undefined) takeNote(note, version);
  return found;
}

/** Whether to download the runtime. Returns false if the user provides a runtime or declines downloads. */
function isWanted(environment: Environment): boolean {
  return ['ELECTRON_OVERRIDE_DIST_PATH', 'ELECTRON_SKIP_BINARY_DOWNLOAD'].every((name) => !environment[name]);
}

function versionOf(folder: string): string | undefined {
  const read: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return typeof read === 'object' && read !== null && 'version' in read ? String(read.version) : undefined;
}

async function isReachable(source: string): Promise<boolean> {
  try {
    const answer = await fetch(source, { method: 'HEAD', signal: AbortSignal.timeout(REACH_LIMIT_MS) });
    return answer.status < 500;
  } catch {
    return false;
  }
}

function noted(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function takeNote(file: string, version: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${version}\n`);
  } catch {
    // Ignore the error: the next start tries again.
  }
}

/**
 * Returns what the user can do to make Chromium's sandbox work here, or undefined if it already works. The sandbox needs user namespaces,
 * or a helper owned by root. It is not used when the program runs as root.
 */
export function sandboxAdvice(program: string, proc = '/proc/sys'): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() === 0) return undefined;
  const helper = join(dirname(program), 'chrome-sandbox');
  const status = statSync(helper, { throwIfNoEntry: false });
  if (status?.uid === 0 && (status.mode & 0o4000) !== 0) return undefined;
  const forbids = ([name, value]: readonly [string, string]): boolean => noted(join(proc, name)) === value;
  const isForbidden = (
    [
      ['kernel/apparmor_restrict_unprivileged_userns', '1'],
      ['kernel/unprivileged_userns_clone', '0'],
      ['user/max_user_namespaces', '0'],
    ] as const
  ).some(forbids);
  if (!isForbidden) return undefined;
  return `this system allows the window no sandbox; allow it with: sudo chown root:root "${helper}" && sudo chmod 4755 "${helper}"`;
}
