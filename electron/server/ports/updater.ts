import type { UpdateMode } from '#shared/api/updates.ts';

/** A version that was installed but never became ready, and the reason. `at` is in epoch milliseconds. */
export type FailedUpdate = { version: string; at: number; problem: string };

/** Result of a check. `list` is the name of the update list. `signedAt` is when the list was signed, in epoch milliseconds. */
export type FoundUpdate = {
  /** The newer version; undefined if there is none. */
  version: string | undefined;
  list: string;
  signedAt: number;
};

/** Finds and installs newer versions of the program that runs the station. All promises reject with a StationError. */
export type Updater = {
  /** Why the program cannot check for versions, as a sentence; undefined if it can. */
  readonly cannotCheck: string | undefined;
  /** Why the program cannot install versions, as a sentence; undefined if it can. */
  readonly cannotInstall: string | undefined;
  /** Update mode set by the administrator of the machine; undefined if the station's setting applies. */
  readonly policy: UpdateMode | undefined;
  check(): Promise<FoundUpdate>;
  /** Downloads and verifies the version that `check` found. */
  download(onProgress: (percent: number) => void): Promise<void>;
  /** Ends the program and starts the downloaded version. Resolves when the program begins to end. */
  install(): Promise<void>;
  /** Returns the last version that was installed here but never became ready. */
  failed(): FailedUpdate | undefined;
};
