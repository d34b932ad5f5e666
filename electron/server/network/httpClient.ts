import { rootCertificates } from 'node:tls';
import type * as undici from 'undici';
import type { Dispatcher } from 'undici';
// Import only this part: the whole package takes 46 ms and 13 MB more. Decision 0048.
import Agent from 'undici/lib/dispatcher/agent.js';
import type { HttpAnswer, HttpClient, HttpRequest } from '../ports.ts';

/**
 * Maximum number of bytes to read of a response. Longer ones are cut off, because only the status, the headers and the beginning of the
 * body are needed.
 */
const DRAINED_BYTES = 64 * 1024;
/** Maximum number of unfinished responses. If there are more, the oldest is cut off. */
const MAX_DRAINED = 64;
/** Number of bytes of a response to keep for display. */
const KEPT_BYTES = 1_024;
const KEPT_HEADERS = 40;
const KEPT_HEADER_LENGTH = 300;
/** Time limit in milliseconds for the beginning of the body. Success depends only on the status. */
const BODY_PATIENCE_MS = 250;
/** Maximum number of informational (1xx) responses before the final one. */
const MAX_HINTS = 32;

/** Hosts that are never reached through a proxy, because only this machine can reach the programs on it. */
const OWN_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/** Proxies from the environment. An empty text means a direct connection. */
export type Proxies = { http: string; https: string; except: string };

/** Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY. As in other programs, lowercase names take precedence. */
export function proxiesOf(environment: Readonly<Record<string, string | undefined>>): Proxies {
  const named = (name: string) => environment[name] ?? environment[name.toUpperCase()] ?? '';
  return { http: named('http_proxy'), https: named('https_proxy'), except: named('no_proxy') };
}

/** Which certificates a connection trusts. `ca` is the certificate of the owner's authority. */
type Trust = { verify: boolean; ca: string | undefined };
type MakeAgent = (trust: Trust) => Dispatcher;

/** Creates a client that sends callbacks over kept-alive connections, with one pool per trust configuration. */
export function createHttpClient(proxies: Proxies): HttpClient {
  const isDirect = proxies.http === '' && proxies.https === '';
  // Proxy tunnels need the whole package.
  const whole = isDirect ? undefined : import('undici');
  // Ignore the error here, because the code that sends the request handles it.
  whole?.catch(() => undefined);
  /** The newest agent, and the trust with which it was created. */
  let agent: Dispatcher | undefined;
  let trust: Trust = { verify: true, ca: undefined };
  let target = { url: '', origin: '', path: '' };
  const drained = new Set<Dispatcher.DispatchController>();

  function drain(controller: Dispatcher.DispatchController): void {
    drained.add(controller);
    const [oldest] = drained;
    if (drained.size > MAX_DRAINED) oldest?.abort(new Error('The answer did not end.'));
  }

  function agentFor({ ca, verify }: HttpRequest, make: MakeAgent): Dispatcher {
    if (agent !== undefined && trust.verify === verify && trust.ca === ca) return agent;
    // The settings have changed, so close connections that were opened with other trust settings.
    void agent?.close();
    trust = { verify, ca };
    agent = make(trust);
    return agent;
  }

  /** Parses a URL. Remembers the last one, because callbacks go to the same URL one after another. */
  function targetOf(url: string): typeof target {
    if (url === target.url) return target;
    const { origin, pathname, search } = new URL(url);
    target = { url, origin, path: pathname + search };
    return target;
  }

  return {
    send(message) {
      const { method, url, headers, body } = message;
      const { origin, path } = targetOf(url);
      const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
      const exchange = createExchange({
        resolve,
        reject,
        begun: drain,
        ended: (controller) => void drained.delete(controller),
        wholeUpTo: message.wholeUpTo,
      });
      const request = { origin, path, method, headers, body: body ?? null };
      // Use a raw undici handler: promises and streams would take as much time as the request itself.
      const dispatch = (make: MakeAgent) => void agentFor(message, make).dispatch(request, exchange.handler);
      if (whole === undefined) dispatch(directAgent);
      else {
        const through = ({ EnvHttpProxyAgent }: typeof undici) => {
          if (!exchange.isGivenUp()) dispatch((trust) => new EnvHttpProxyAgent(proxyOptions(proxies, trust)));
        };
        whole.then(through).catch(exchange.giveUp);
      }
      return { answer: promise, giveUp: () => exchange.giveUp(new Error('The request was abandoned.')) };
    },
    stop() {
      agent?.destroy().catch(() => undefined);
      agent = undefined;
    },
  };
}

/** Reads one response: the status, the headers, and the part of the body to keep. */
function createExchange(parts: {
  resolve: (answer: HttpAnswer) => void;
  reject: (reason: Error) => void;
  begun: (controller: Dispatcher.DispatchController) => void;
  ended: (controller: Dispatcher.DispatchController) => void;
  wholeUpTo: HttpRequest['wholeUpTo'];
}) {
  const { resolve, reject, begun, ended, wholeUpTo } = parts;
  const keptMost = wholeUpTo ?? KEPT_BYTES;
  let head: Pick<HttpAnswer, 'status' | 'retryAfter' | 'headers'> | undefined;
  let hints = 0;
  let read = 0;
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let patience: NodeJS.Timeout | undefined;
  let isAnswered = false;
  let isOver = false;
  let controls: Dispatcher.DispatchController | undefined;
  let givenUp: Error | undefined;

  /** Resolves the request with the response. `isWhole` tells whether the body has ended. Success depends only on the status. */
  function answer(isWhole: boolean): void {
    clearTimeout(patience);
    if (head === undefined || isAnswered) return;
    isAnswered = true;
    resolve({ ...head, body: Buffer.concat(kept), isWhole: isWhole && read === keptBytes });
  }

  /** Waits for the body. Most responses are already complete, and their end follows in the same turn of the event loop. */
  function waitForBody(): void {
    if (isOver || controls === undefined) return;
    begun(controls);
    if (!isAnswered) patience = setTimeout(() => answer(false), BODY_PATIENCE_MS);
  }

  function end(controller: Dispatcher.DispatchController): void {
    isOver = true;
    ended(controller);
  }

  function fail(reason: Error): void {
    answer(false);
    reject(reason);
  }

  function giveUp(reason: Error): void {
    givenUp = reason;
    fail(reason);
    controls?.abort(reason);
  }

  const handler = {
    onRequestStart(controller) {
      controls = controller;
      if (givenUp !== undefined) controller.abort(givenUp);
    },
    onResponseStart(controller, status, answered) {
      if (status < 200) {
        hints += 1;
        if (hints > MAX_HINTS)
          controller.abort(new Error('The receiver keeps sending informational responses and does not answer.'));
        return;
      }
      const retryAfter = answered['retry-after'];
      head = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined, headers: keptOf(answered) };
      if (wholeUpTo === undefined) queueMicrotask(waitForBody);
    },
    onResponseData(controller, chunk) {
      read += chunk.length;
      if (keptBytes < keptMost) {
        const part = Buffer.from(chunk.subarray(0, keptMost - keptBytes));
        keptBytes += part.length;
        kept.push(part);
      }
      if (wholeUpTo === undefined && keptBytes >= keptMost && read > keptBytes) answer(false);
      if (read > Math.max(DRAINED_BYTES, keptMost)) controller.abort(new Error('The answer is too long.'));
    },
    onResponseEnd(controller) {
      answer(true);
      end(controller);
    },
    onResponseError(controller, error) {
      end(controller);
      fail(error);
    },
  } satisfies Dispatcher.DispatchHandler;
  return { handler, giveUp, isGivenUp: () => givenUp !== undefined };
}

/** Returns the header names and values as received, shortened for display. */
function keptOf(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const kept = new Map<string, string>();
  for (const [name, value] of Object.entries(headers).slice(0, KEPT_HEADERS)) {
    if (value === undefined) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    kept.set(name.slice(0, KEPT_HEADER_LENGTH), text.slice(0, KEPT_HEADER_LENGTH));
  }
  return Object.fromEntries(kept);
}

// Disable timeouts in undici, because the dispatcher aborts requests by the station's clock.
const TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0 };

function directAgent({ verify, ca }: Trust): Dispatcher {
  return new Agent({ ...TIMEOUTS, connect: { rejectUnauthorized: verify, ...authoritiesOf(ca) } });
}

function proxyOptions({ http, https, except }: Proxies, { verify, ca }: Trust): undici.EnvHttpProxyAgent.Options {
  const authorities = authoritiesOf(ca);
  const connect = { rejectUnauthorized: verify, ...authorities };
  return {
    ...TIMEOUTS,
    connect,
    requestTls: connect,
    proxyTls: authorities,
    httpProxy: proxyUrl('HTTP_PROXY', http),
    httpsProxy: proxyUrl('HTTPS_PROXY', https),
    noProxy: [...OWN_MACHINE, except].join(','),
  };
}

/** Returns Node's own certificate authorities and the owner's. */
function authoritiesOf(ca: string | undefined): { ca?: string[] } {
  return ca === undefined ? {} : { ca: [...rootCertificates, ca] };
}

/**
 * Returns the URL of a proxy. Accepts the common form `proxy:3128`. If the text is not a URL, throws an Error with a message for the user.
 */
function proxyUrl(name: string, text: string): string {
  if (text === '') return '';
  const url = text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(url)) throw new Error(`${name} in the environment is not the address of a proxy.`);
  return url;
}
