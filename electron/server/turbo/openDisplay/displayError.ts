/** Error of an exchange with a display. The message is for the user. */
export class DisplayError extends Error {
  /** Whether another program may be using the display. */
  readonly isRefusal: boolean;

  constructor(message: string, { isRefusal = false, cause }: { isRefusal?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isRefusal = isRefusal;
  }
}

/** Error for a single command that the display refused. The connection continues. */
export class RefusedCommand extends DisplayError {}
