/** An exchange with a display failed. The message is a sentence for people. */
export class DisplayError extends Error {
  /** Another program may hold the display. */
  readonly isRefusal: boolean;

  constructor(message: string, { isRefusal = false, cause }: { isRefusal?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isRefusal = isRefusal;
  }
}

/** The display refused one command. The connection continues. */
export class RefusedCommand extends DisplayError {}
