import type { UpdateMode } from '#shared/api/updates.ts';

/** Which version a program replaced, and why that was undone. `at`: epoch milliseconds. */
export type FailedUpdate = { version: string; at: number; problem: string };

/** What a check found. `list`: the name of the update list. `signedAt`: when it was signed, epoch milliseconds. */
export type FoundUpdate = {
  /** The newer version; undefined: none is newer. */
  version: string | undefined;
  list: string;
  signedAt: number;
};

/** Finds and installs newer versions of the program that runs the station. All reject with a StationError. */
export type Updater = {
  /** Why it cannot look for versions, as a sentence; undefined: it can. */
  readonly cannotCheck: string | undefined;
  /** Why it cannot install them, as a sentence; undefined: it can. */
  readonly cannotInstall: string | undefined;
  /** Fixed by the administrator of the machine; undefined: the setting decides. */
  readonly policy: UpdateMode | undefined;
  check(): Promise<FoundUpdate>;
  /** Downloads and checks what `check` found. */
  download(onProgress: (percent: number) => void): Promise<void>;
  /** Ends the program, and starts the downloaded version. Resolves when the end has begun. */
  install(): Promise<void>;
  /** The last version that never became ready here. */
  failed(): FailedUpdate | undefined;
};
