import { rootCertificates } from 'node:tls';
import type * as undici from 'undici';
import type { Dispatcher } from 'undici';
// Not the whole package, which takes 46 ms and 13 MB more: decision 0048.
import Agent from 'undici/lib/dispatcher/agent.js';
import type { HttpAnswer, HttpClient, HttpRequest } from './ports.ts';

/** A longer answer is cut off: only status, headers and its beginning count. */
const DRAINED_BYTES = 64 * 1024;
/** More answers that have begun and do not end are not waited for: the oldest is cut off for the next. */
const MAX_DRAINED = 64;
/** What is kept of an answer for people. */
const KEPT_BYTES = 1_024;
const KEPT_HEADERS = 40;
const KEPT_HEADER_LENGTH = 300;
/** The head says what became of it; so much longer the beginning of the body is waited for. */
const BODY_PATIENCE_MS = 250;
/** Hints and "go on" before the answer: more than these are no way to one. */
const MAX_HINTS = 32;

/** What never goes through a proxy, whatever the environment says: nobody else has a way to this machine's own programs. */
const OWN_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/** Where requests go out: as the environment of the program has it. Empty: directly. */
export type Proxies = { http: string; https: string; except: string };

/** HTTP_PROXY, HTTPS_PROXY and NO_PROXY, small letters first, as other programs read them. */
export function proxiesOf(environment: Readonly<Record<string, string | undefined>>): Proxies {
  const named = (name: string) => environment[name] ?? environment[name.toUpperCase()] ?? '';
  return { http: named('http_proxy'), https: named('https_proxy'), except: named('no_proxy') };
}

type Trust = { verify: boolean; ca: string[] | undefined };
type MakeAgent = (trust: Trust) => Dispatcher;

/** Callbacks over kept connections, one pool for each way to trust the other side. */
export function createHttpClient(proxies: Proxies): HttpClient {
  const isDirect = proxies.http === '' && proxies.https === '';
  // Tunnels need the whole of it.
  const whole = isDirect ? undefined : import('undici');
  // Whoever sends is told.
  whole?.catch(() => undefined);
  const agents = new Map<string, Dispatcher>();
  const drained = new Set<Dispatcher.DispatchController>();

  function drain(controller: Dispatcher.DispatchController): void {
    drained.add(controller);
    const [oldest] = drained;
    if (drained.size > MAX_DRAINED) oldest?.abort(new Error('The answer does not end.'));
  }

  function agentFor({ ca, verify }: HttpRequest, make: MakeAgent): Dispatcher {
    const key = JSON.stringify([verify, ca]);
    let agent = agents.get(key);
    if (agent === undefined) {
      // The settings changed: what trusted otherwise is not kept.
      for (const [old, other] of agents) {
        agents.delete(old);
        void other.close();
      }
      agent = make({ verify, ca: ca === undefined ? undefined : [...rootCertificates, ca] });
      agents.set(key, agent);
    }
    return agent;
  }

  return {
    send(message) {
      const { method, url, headers, body } = message;
      const { origin, pathname, search } = new URL(url);
      const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
      const exchange = createExchange({
        resolve,
        reject,
        begun: drain,
        ended: (controller) => void drained.delete(controller),
      });
      const request = { origin, path: pathname + search, method, headers, body: body ?? null };
      // undici's own handler: its promises and streams cost as much as the request itself.
      const dispatch = (make: MakeAgent) => void agentFor(message, make).dispatch(request, exchange.handler);
      if (whole === undefined) dispatch(directAgent);
      else {
        const through = ({ EnvHttpProxyAgent }: typeof undici) => {
          if (!exchange.isGivenUp()) dispatch((trust) => new EnvHttpProxyAgent(proxyOptions(proxies, trust)));
        };
        whole.then(through).catch(exchange.giveUp);
      }
      return { answer: promise, giveUp: () => exchange.giveUp(new Error('The request was given up.')) };
    },
    stop() {
      for (const agent of agents.values()) agent.destroy().catch(() => undefined);
      agents.clear();
    },
  };
}

/** One answer, from its head to as much of its body as is kept. */
function createExchange(parts: {
  resolve: (answer: HttpAnswer) => void;
  reject: (reason: Error) => void;
  begun: (controller: Dispatcher.DispatchController) => void;
  ended: (controller: Dispatcher.DispatchController) => void;
}) {
  const { resolve, reject, begun, ended } = parts;
  let head: Pick<HttpAnswer, 'status' | 'retryAfter' | 'headers'> | undefined;
  let hints = 0;
  let read = 0;
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let patience: NodeJS.Timeout | undefined;
  let isTold = false;
  let controls: Dispatcher.DispatchController | undefined;
  let givenUp: Error | undefined;

  /** `isWhole`: the body has ended. The head alone says whether it was taken. */
  function tell(isWhole: boolean): void {
    clearTimeout(patience);
    if (head === undefined || isTold) return;
    isTold = true;
    resolve({ ...head, body: Buffer.concat(kept), isWhole: isWhole && read === keptBytes });
  }

  function fail(reason: Error): void {
    tell(false);
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
          controller.abort(new Error('The receiver says that it is at work, and does not answer.'));
        return;
      }
      begun(controller);
      const retryAfter = answered['retry-after'];
      head = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined, headers: keptOf(answered) };
      patience = setTimeout(() => tell(false), BODY_PATIENCE_MS);
    },
    onResponseData(controller, chunk) {
      read += chunk.length;
      if (keptBytes < KEPT_BYTES) {
        const part = Buffer.from(chunk.subarray(0, KEPT_BYTES - keptBytes));
        keptBytes += part.length;
        kept.push(part);
      }
      if (keptBytes >= KEPT_BYTES && read > keptBytes) tell(false);
      if (read > DRAINED_BYTES) controller.abort(new Error('The answer is longer than anybody reads.'));
    },
    onResponseEnd(controller) {
      tell(true);
      ended(controller);
    },
    onResponseError(controller, error) {
      ended(controller);
      fail(error);
    },
  } satisfies Dispatcher.DispatchHandler;
  return { handler, giveUp, isGivenUp: () => givenUp !== undefined };
}

/** Names and values as they came, no more of them than a person reads. */
function keptOf(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers).slice(0, KEPT_HEADERS)) {
    if (value === undefined) continue;
    kept[name.slice(0, KEPT_HEADER_LENGTH)] = (Array.isArray(value) ? value.join(', ') : value).slice(
      0,
      KEPT_HEADER_LENGTH,
    );
  }
  return kept;
}

// No timeouts of its own: the dispatcher aborts by the station's clock.
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

/** Those of the system are asked where none are named. */
function authoritiesOf(ca: string[] | undefined): { ca?: string[] } {
  return ca === undefined ? {} : { ca };
}

/** `proxy:3128` is how many write it. Throws a sentence about what is none. */
function proxyUrl(name: string, text: string): string {
  if (text === '') return '';
  const url = text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(url)) throw new Error(`${name} of the environment is no address of a proxy.`);
  return url;
}
