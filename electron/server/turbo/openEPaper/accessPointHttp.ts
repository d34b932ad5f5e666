import type { Agent, IncomingMessage, RequestOptions } from 'node:http';
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../ports.ts';

/** Maximum size of an answer: far above the longest one, a page of the tag list with 5 kB. */
const MAX_ANSWER_BYTES = 64 * 1_024;
const PATIENCE_MS = 10_000;
/** Time limit for an upload. Longer than for other requests, because an access point decodes an image while receiving it. */
const UPLOAD_PATIENCE_MS = 30_000;

export type AccessPointAnswer = { status: number; type: string; body: Buffer };

/** Error for an access point that did not answer or whose answer cannot be read. The message is for the user. */
export class AccessPointError extends Error {}

export type AccessPointHttp = {
  get(path: string): Promise<AccessPointAnswer>;
  /** Sends a POST request with form fields in its body. */
  post(path: string, fields: Readonly<Record<string, string>>): Promise<AccessPointAnswer>;
  /** Uploads a file. Sends the fields before the file, because an access point reads them at the file's first byte. */
  upload(path: string, fields: Readonly<Record<string, string>>, file: Uint8Array): Promise<AccessPointAnswer>;
  /** Whether no request is waiting for an answer. */
  idle(): boolean;
  /** Cancels all requests. */
  stop(): void;
};

/** Creates an HTTP client for an access point. Uses one connection at a time, follows no redirects, and limits size and time. */
export function createAccessPointHttp(base: string, clock: Clock): AccessPointHttp {
  const open = new Set<() => void>();
  let agent: Agent | undefined;
  let loading = 0;
  let isStopped = false;

  async function send(path: string, options: RequestOptions, body: Buffer | undefined, patienceMs: number) {
    loading += 1;
    // Loaded with the first access point, because most stations have none.
    const { Agent: HttpAgent, request } = await import('node:http');
    loading -= 1;
    if (isStopped) throw new AccessPointError('The connection was given up.');
    agent ??= new HttpAgent({ keepAlive: false, maxSockets: 1 });
    const { promise, resolve, reject } = Promise.withResolvers<AccessPointAnswer>();
    const outgoing = request(new URL(path, base), { ...options, agent });
    const fail = (sentence: string) => {
      reject(new AccessPointError(sentence));
      outgoing.destroy();
    };
    const giveUp = () => fail('The connection was given up.');
    const timer = clock.setTimer(patienceMs, () => fail(`No answer from ${base} within ${patienceMs / 1_000} s.`));
    open.add(giveUp);
    outgoing.on('response', (answer) => collect(answer, resolve, fail));
    outgoing.on('error', (error: NodeJS.ErrnoException) => fail(noAnswer(base, error)));
    outgoing.end(body);
    return promise.finally(() => {
      timer.cancel();
      open.delete(giveUp);
    });
  }

  return {
    get: (path) => send(path, { method: 'GET' }, undefined, PATIENCE_MS),
    post(path, fields) {
      const body = Buffer.from(new URLSearchParams(fields).toString());
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length };
      return send(path, { method: 'POST', headers }, body, PATIENCE_MS);
    },
    upload(path, fields, file) {
      const boundary = `----${randomBytes(12).toString('hex')}`;
      const body = multipart(boundary, fields, file);
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': body.length };
      return send(path, { method: 'POST', headers }, body, UPLOAD_PATIENCE_MS);
    },
    idle: () => open.size === 0 && loading === 0,
    stop() {
      isStopped = true;
      for (const giveUp of open) giveUp();
      agent?.destroy();
    },
  };
}

function collect(
  answer: IncomingMessage,
  resolve: (answer: AccessPointAnswer) => void,
  fail: (sentence: string) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  answer.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) fail('The answer is too long for an access point.');
    else chunks.push(chunk);
  });
  answer.on('error', () => fail('The answer broke off.'));
  answer.on('end', () => {
    if (!answer.complete) return fail('The answer broke off.');
    const type = answer.headers['content-type'] ?? '';
    resolve({ status: answer.statusCode ?? 0, type, body: Buffer.concat(chunks) });
  });
}

function multipart(boundary: string, fields: Readonly<Record<string, string>>, file: Uint8Array): Buffer {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="picture.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`;
  return Buffer.concat([Buffer.from(parts.join('') + head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

/** Reasons by the codes of network errors. */
const REASONS = new Map(
  Object.entries<string>({
    ECONNREFUSED: 'nothing accepts connections there',
    ENOTFOUND: 'this name is not known',
    EHOSTUNREACH: 'no way leads there',
    ENETUNREACH: 'no way leads there',
    ECONNRESET: 'the connection broke off',
  }),
);

function noAnswer(base: string, { code }: NodeJS.ErrnoException): string {
  const reason = REASONS.get(code ?? '') ?? 'the connection failed';
  return `No answer from ${base}: ${reason}. Check the address, and that the access point is switched on.`;
}
