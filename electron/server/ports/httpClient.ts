export type HttpRequest = {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  /** PEM certificates to trust in addition to the system's; undefined to trust only the system's. */
  ca: string | undefined;
  /** Whether to verify the certificate. If false, any certificate is accepted. */
  verify: boolean;
  /**
   * Maximum size in bytes of a body to read completely. A request whose answer has a longer body fails. If undefined, only the beginning of
   * the body is kept.
   */
  wholeUpTo: number | undefined;
};

export type HttpAnswer = {
  status: number;
  retryAfter: string | undefined;
  /** Received headers with lower-case names, shortened for display. */
  headers: Readonly<Record<string, string>>;
  /** Without `wholeUpTo`, at most the first kilobyte. May be compressed. */
  body: Uint8Array;
  /** Whether `body` is complete. */
  isWhole: boolean;
};

/** A request in progress. `answer` rejects if no answer arrives, and after `giveUp`, which is cheaper than an AbortSignal per request. */
export type Sending = { answer: Promise<HttpAnswer>; giveUp(): void };

/** Sends callbacks and reads sheets. Never follows redirects. */
export type HttpClient = {
  send(request: HttpRequest): Sending;
  /** Closes kept-alive connections. */
  stop(): void;
};
