/**
 * State of a connection. `missing` means that the browser does not support the API, `insecure` that the page is not
 * in the secure context that the API requires, and `lost` that the device was unplugged. A lost device is reconnected
 * automatically.
 */
export type LinkState = {
  kind: 'missing' | 'insecure' | 'off' | 'connecting' | 'on' | 'lost' | 'failed';
  /** The browser's error message. */
  reason?: string;
};

/** A scanner that is connected through a browser API instead of the keyboard. */
export type ScannerLink = {
  state(): LinkState;
  subscribe(listener: () => void): () => void;
  /** Lets a person choose a device. Must be called in a click handler, because browsers require a user gesture. */
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  /** Connects known scanners, now and whenever they are plugged in, until the window closes. */
  start(): void;
};

export function createState(first: LinkState) {
  const listeners = new Set<() => void>();
  let now = first;
  return {
    get: () => now,
    set(next: LinkState): void {
      now = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Whether the person closed the dialog without choosing, which is not a failure. */
export function isNoChoice(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotFoundError' || error.name === 'AbortError');
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
