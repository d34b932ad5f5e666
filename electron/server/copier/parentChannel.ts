/** Channel for messages between a side process and the station. */
export type ParentChannel = {
  send(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Ends this side process. */
  end(): void;
};

/** The port that Electron provides to a utility process. */
type ParentPort = {
  postMessage(message: object): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
};

/**
 * Returns the channel to the station, in a Node or an Electron process. Also ends this process when the station ends; Electron does this
 * automatically.
 */
export function parentChannel(): ParentChannel {
  // This is a separate program, and its work is finished or no longer needed.
  // oxlint-disable-next-line unicorn/no-process-exit -- the station runs in a different process
  const end = (): void => process.exit();
  const { parentPort } = process as NodeJS.Process & { parentPort?: ParentPort };
  if (parentPort !== undefined) {
    return {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has no origin
      send: (message) => parentPort.postMessage(message),
      onMessage: (listener) => parentPort.on('message', ({ data }) => listener(data)),
      end,
    };
  }
  process.on('disconnect', end);
  // Signals from a terminal or a service manager reach all processes. Only the station decides how to react.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  return {
    // Ignore the error: if a message cannot be sent, the process ends soon anyway.
    send: (message) => void process.send?.(message, undefined, undefined, () => undefined),
    onMessage: (listener) => void process.on('message', listener),
    end,
  };
}
