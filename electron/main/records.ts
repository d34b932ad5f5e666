import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { app, crashReporter, shell } from 'electron';
import type { StationConfig } from '../server/config.ts';
import { DUMP_FOLDER, LOG_FOLDER, type LogFileWriter } from '../server/logs/logFiles.ts';
import { listDumps } from '../server/logs/logFolder.ts';
import { fileLog, openLogFiles } from '../server/logs/systemLog.ts';
import { systemClock } from '../server/systemPorts.ts';
import { isFreed } from './hiddenPage.ts';

const KEPT_DUMPS = 5;

/**
 * Starts log files and crash dumps for this process in the data folder, without sending them anywhere. Call before the app is ready.
 * Returns undefined if log files are off.
 */
export function keepRecords(config: StationConfig): LogFileWriter | undefined {
  const dumps = join(config.dataFolder, DUMP_FOLDER);
  app.setPath('logs', join(config.dataFolder, LOG_FOLDER));
  try {
    mkdirSync(dumps, { recursive: true, mode: 0o700 });
    app.setPath('crashDumps', dumps);
    crashReporter.start({ uploadToServer: false });
  } catch {
    // The data folder is not writable. The station reports this.
  }
  void removeOldDumps(dumps);
  const files = openLogFiles(config, systemClock(), process);
  const log = files === undefined ? undefined : fileLog(files);
  const gone = (details: object): void => {
    log?.error(details, 'A process of the window ended');
    void removeOldDumps(dumps);
  };
  app.on('render-process-gone', (_event, page, details) => {
    if (!isFreed(page)) gone(details);
  });
  app.on('child-process-gone', (_event, details) => gone(details));
  // Do not listen earlier, because a listener would keep a failed start from ending.
  void app.whenReady().then(() =>
    process.on('unhandledRejection', (error) => {
      log?.error({ err: error }, 'An unexpected error ends the program');
      files?.flushNow();
    }),
  );
  return files;
}

/** Opens the folder with the log files in the system's file manager. */
export function showLogs(): void {
  const folder = app.getPath('logs');
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // The folder exists.
  }
  void shell.openPath(folder);
}

async function removeOldDumps(folder: string): Promise<void> {
  for (const { path } of (await listDumps(folder)).slice(KEPT_DUMPS)) {
    rmSync(path, { force: true });
    rmSync(path.replace(/dmp$/, 'meta'), { force: true });
  }
}
