/** `missing`: this browser has no such thing, or only in a secure page. `lost`: pulled out; it connects again by itself. */
export type LinkState = {
  kind: 'missing' | 'insecure' | 'off' | 'connecting' | 'on' | 'lost' | 'failed';
  /** What the browser says of a failure. */
  reason?: string;
};

/** A scanner that is connected in the browser, past the keyboard. */
export type ScannerLink = {
  state(): LinkState;
  subscribe(listener: () => void): () => void;
  /** A person chooses it: only inside a click. */
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

/** Nobody chose one: no failure. */
export function isNoChoice(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotFoundError' || error.name === 'AbortError');
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
