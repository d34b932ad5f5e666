/** What a side process says to the station, and hears of it. */
export type ParentChannel = {
  say(message: object): void;
  hear(listener: (message: unknown) => void): void;
  /** Ends this process. */
  end(): void;
};

/** What Electron gives to a utility process. */
type ParentPort = {
  postMessage(message: object): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
};

/** In either kind of process. Where the station has ended, this one ends too: Chromium sees to that by itself. */
export function parentChannel(): ParentChannel {
  // This is a program, and whoever asked for its work is gone or has it.
  // oxlint-disable-next-line unicorn/no-process-exit -- no part of the station's own process
  const end = (): void => process.exit();
  const { parentPort } = process as unknown as { parentPort?: ParentPort };
  if (parentPort !== undefined) {
    return {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has no origin
      say: (message) => parentPort.postMessage(message),
      hear: (listener) => parentPort.on('message', ({ data }) => listener(data)),
      end,
    };
  }
  process.on('disconnect', end);
  // A terminal and a service's end reach all processes: what follows of them is the station's to say.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  return {
    // What cannot be said any more is followed by the end.
    say: (message) => void process.send?.(message, undefined, undefined, () => undefined),
    hear: (listener) => void process.on('message', listener),
    end,
  };
}
