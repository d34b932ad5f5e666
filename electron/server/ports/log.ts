/** Structured log lines. Never log secrets. */
export type Log = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** A log file. `lines` contains its newest lines, as JSON. */
export type LogFileText = { name: string; bytes: number; lines: string[] };

/** A memory dump of a process that crashed. `at` is in epoch milliseconds. */
export type CrashDump = { name: string; at: number; bytes: number };

/** The log on disk. */
export type LogFiles = {
  readonly folder: string;
  /** Calls `cleaner` before each batch of lines, to get a function that replaces secrets. If it throws, the previous function is used. */
  hide(cleaner: () => (text: string) => string): void;
  /** Sets a function that returns how many days to keep files. It is called whenever a file is opened. */
  keepDays(days: () => number): void;
  /** Resolves when all lines are written, or when the disk accepts none. */
  flush(): Promise<void>;
  /** Returns the newest lines of all files, oldest file first. */
  read(maxBytes: number): Promise<LogFileText[]>;
  /** Lists the crash dumps, newest first. */
  dumps(): Promise<CrashDump[]>;
};
