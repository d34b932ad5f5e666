export type HttpRequest = {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  /** PEM certificates to trust in addition to the system's; undefined: only the system's. */
  ca: string | undefined;
  /** false: accepts any certificate. */
  verify: boolean;
  /** Waits for the whole body and keeps it, up to this many bytes; a longer one fails. Undefined: keeps its beginning. */
  wholeUpTo: number | undefined;
};

export type HttpAnswer = {
  status: number;
  retryAfter: string | undefined;
  /** As received, names in lower case, shortened for people. */
  headers: Readonly<Record<string, string>>;
  /** Without `wholeUpTo` at most the first kilobyte. Possibly compressed. */
  body: Uint8Array;
  /** `body` is complete. */
  isWhole: boolean;
};

/**
 * A request in progress. `answer` rejects without an answer and after `giveUp`, which costs less than an AbortSignal
 * per request.
 */
export type Sending = { answer: Promise<HttpAnswer>; giveUp(): void };

/** Sends a callback, or reads a sheet. Never follows redirects. */
export type HttpClient = {
  send(request: HttpRequest): Sending;
  /** Closes kept-alive connections. */
  stop(): void;
};
