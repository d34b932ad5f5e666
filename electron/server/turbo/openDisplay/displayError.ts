/** Why a display could not be asked, as a sentence for people. */
export class DisplayError extends Error {
  /** Another program may hold the display. */
  readonly isRefusal: boolean;

  constructor(message: string, { isRefusal = false, cause }: { isRefusal?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isRefusal = isRefusal;
  }
}

/** The display refused one command, and continues. */
export class RefusedCommand extends DisplayError {}
