import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { checkStart } from '../server/check/checkStart.ts';
import type { StationConfig } from '../server/config.ts';
import type { StationPorts } from '../server/station.ts';
import { words } from './words.ts';

/** Handles `--check` and `--service` without a window, and ends the program with the exit code. */
export function answerWithoutWindow(config: StationConfig, ports: () => StationPorts, pageFolder: string): void {
  // Use a temporary profile: the profile is usually in the data folder, which a check must not change.
  const profile = mkdtempSync(join(tmpdir(), 'pickstation-'));
  app.setPath('userData', profile);
  const end = (works: boolean, says: string): void => {
    (works ? process.stdout : process.stderr).write(`${says}\n`);
    rmSync(profile, { recursive: true, force: true });
    app.exit(works ? 0 : 1);
  };
  if (config.service !== undefined) return end(false, words.noService);
  void app
    .whenReady()
    .then(() => checkStart(config, ports(), pageFolder, new AbortController().signal))
    .then(({ works, says }) => end(works, says));
}
