export type HttpRequest = {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  /** PEM certificates to trust in addition to the system's; undefined: only the system's. */
  ca: string | undefined;
  /** false: accepts any certificate. */
  verify: boolean;
  /** Maximum bytes of a body to wait for and keep; a longer body fails. Undefined: keeps only the beginning. */
  wholeUpTo: number | undefined;
};

export type HttpAnswer = {
  status: number;
  retryAfter: string | undefined;
  /** Received headers with lower-case names, shortened for people. */
  headers: Readonly<Record<string, string>>;
  /** Without `wholeUpTo`, at most the first kilobyte. Can be compressed. */
  body: Uint8Array;
  /** `body` is complete. */
  isWhole: boolean;
};

/** A request in progress. `answer` rejects if no answer comes, and after `giveUp`, which is cheaper than an AbortSignal per request. */
export type Sending = { answer: Promise<HttpAnswer>; giveUp(): void };

/** Sends a callback, or reads a sheet. Never follows redirects. */
export type HttpClient = {
  send(request: HttpRequest): Sending;
  /** Closes kept-alive connections. */
  stop(): void;
};
