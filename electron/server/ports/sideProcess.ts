/**
 * A low-priority child process that runs one of our files, so that its crash does not end the station. It ends with the
 * station at the latest.
 */
export type SideProcess = {
  /** Does nothing after its end. */
  send(message: object): void;
  /** Kills it at once. */
  kill(): void;
};

/**
 * `ended` is called once, even if the process never started; `how` completes "the process ...". Throws if the process cannot be started.
 */
export type StartSideProcess = (
  file: URL,
  listener: { message(message: unknown): void; ended(how: string): void },
) => SideProcess;
