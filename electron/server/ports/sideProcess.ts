/**
 * A low-priority child process that runs one of our files, so that a crash there does not end the station. It ends at the latest when the
 * station ends.
 */
export type SideProcess = {
  /** Does nothing after the process has ended. */
  send(message: object): void;
  /** Kills the process immediately. */
  kill(): void;
};

/**
 * Starts a side process. `ended` is called once, even if the process never started; `how` completes "the process ...". A process that needs
 * more than `memoryMiB` for its objects ends. Throws if the process cannot be started.
 */
export type StartSideProcess = (
  file: URL,
  listener: { message(message: unknown): void; ended(how: string): void },
  limits?: SideLimits,
) => SideProcess;

/** Limits of a side process. Without `memoryMiB`, it has the default limit of its runtime. */
export type SideLimits = { memoryMiB?: number | undefined };
