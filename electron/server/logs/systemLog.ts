import { resolve } from 'node:path';
import { pino, stdTimeFunctions, type Logger } from 'pino';
import { createLogFiles, type LogFileWriter } from './logFiles.ts';
import type { Clock, Log } from '../ports.ts';

const COMMON = { redact: ['*.headers.authorization', '*.headers["api-key"]'] };

/** Returns a log that writes each entry as a line of JSON to the files and to stderr, because stdout belongs to the shell. */
export function systemLog(level: string, files: LogFileWriter | undefined): Log {
  const onStderr = pino({ ...COMMON, base: null, level }, pino.destination({ fd: 2, sync: false }));
  if (files === undefined) return logOf([onStderr]);
  return logOf([onStderr, fileLogger(files, level === 'debug' ? 'debug' : 'info')]);
}

function logOf(loggers: readonly Logger[]): Log {
  const to =
    (level: keyof Log) =>
    (fields: object, message: string): void => {
      for (const logger of loggers) logger[level](fields, message);
    };
  return { debug: to('debug'), info: to('info'), warn: to('warn'), error: to('error') };
}

/**
 * Returns a logger for the files. Includes the process id in each line, because a second start on the same folder writes to the same files.
 */
function fileLogger(files: LogFileWriter, level: string): Logger {
  const formatters = { level: (label: string) => ({ level: label }) };
  return pino({ ...COMMON, base: { pid: process.pid }, level, timestamp: stdTimeFunctions.isoTime, formatters }, files);
}

/** Returns a log that writes to the files only. */
export function fileLog(files: LogFileWriter): Log {
  return logOf([fileLogger(files, 'info')]);
}

/** The process whose end and errors cause the last lines to be written. */
type Process = Pick<NodeJS.Process, 'on' | 'stderr'>;

/**
 * Opens the log in the data folder for the whole life of this process, so that an error that ends the process is on disk before the process
 * ends. Returns undefined if log files are turned off.
 */
export function openLogFiles(
  config: {
    dataFolder: string;
    logFiles?: boolean | undefined;
    adminPassword: string | undefined;
    apiKey: string | undefined;
  },
  clock: Clock,
  host: Process,
): LogFileWriter | undefined {
  if (config.logFiles === false) return undefined;
  const files = createLogFiles({
    dataFolder: resolve(config.dataFolder),
    clock,
    secrets: [config.adminPassword, config.apiKey].filter((secret) => secret !== undefined),
    failed: (error) =>
      void host.stderr.write(`The log files cannot be written, and are tried again: ${String(error)}\n`),
  });
  const logger = fileLogger(files, 'info');
  // This only observes the error. Node or the shell handles it as usual.
  host.on('uncaughtExceptionMonitor', (error, origin) => {
    logger.fatal({ err: error, origin }, 'An unexpected error ends the program');
    files.flushNow();
  });
  host.on('exit', (code) => {
    if (code !== 0) logger.error({ code }, 'The program ends with an error');
    files.flushNow();
  });
  return files;
}
