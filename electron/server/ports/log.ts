/** Structured log lines; secrets never go in. */
export type Log = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** A file of the log: `lines` are its newest, as JSON. */
export type LogFileText = { name: string; bytes: number; lines: string[] };

/** A copy of the memory of a process that crashed. `at`: epoch milliseconds. */
export type CrashDump = { name: string; at: number; bytes: number };

/** The log on disk. */
export type LogFiles = {
  readonly folder: string;
  /** Asks `cleaner` before each batch of lines for what replaces secrets; when it throws, its last answer holds. */
  hide(cleaner: () => (text: string) => string): void;
  /** Asked for how many days files are kept, whenever a file is opened. */
  keepDays(days: () => number): void;
  /** Resolves when no line waits, or the disk takes none. */
  flush(): Promise<void>;
  /** The newest lines of all files, oldest file first. */
  read(maxBytes: number): Promise<LogFileText[]>;
  /** The newest first. */
  dumps(): Promise<CrashDump[]>;
};
