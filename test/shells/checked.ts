import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { spawnStation, type SpawnedStation } from '../helpers/spawnStation.ts';

/** The result of `--check`: its exit code and output. */
export type CheckVerdict = { code: number | null; out: string; err: string };

export async function check(
  dataFolder: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<CheckVerdict> {
  const { code, stdout, stderr } = await beginCheck(dataFolder, args, environment).exit();
  return { code, out: stdout, err: stderr };
}

/** Starts a check without waiting for its end. */
export function beginCheck(
  dataFolder: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): SpawnedStation {
  return spawnStation(['--check', '--data', dataFolder, ...args], environment);
}

/** Returns a hash of the bytes and the modification time of each file under a folder. */
export function stateOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(
    files.map((name) => {
      const path = join(folder, name);
      const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
      return [name, `${hash} ${statSync(path).mtimeMs}`];
    }),
  );
}
