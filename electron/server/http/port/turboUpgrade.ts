import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { StationError, TooManyRequests } from '../../errors.ts';
import type { Admission, Log } from '../../ports.ts';
import type { TurboCaller, TurboSignIn } from '../../services/turbos/index.ts';
import { apiKeyOf, basicCredentials } from '../compat/credentials.ts';
import { wayOf } from './forwarded.ts';
import { checkHost, isOwnOrigin, type Addresses } from './guard.ts';
import { messageOf } from './server.ts';
import { isSafeForPasswords } from '../signIn.ts';

/** Path at which turbos connect by WebSocket (section 10 of the contract). */
export const TURBO_PATH = '/turbo/';

export type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Returns a handler that accepts turbos that sign in with HTTP Basic or an API key, and responds to all others with a problem document. */
export function turboUpgrade(parts: {
  signIn: TurboSignIn;
  addresses: Addresses;
  isStopping: () => boolean;
  accept: (req: IncomingMessage, socket: Duplex, head: Buffer, admission: Admission) => Promise<void>;
  log: Log;
}): Upgrade {
  const { signIn, addresses, isStopping, accept, log } = parts;

  async function take(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    checkHost(req, addresses);
    const { origin } = req.headers;
    if (origin !== undefined && !isOwnOrigin(origin, req.socket.localAddress, addresses)) {
      throw new StationError('foreign_origin', `Pages of ${origin} cannot connect a turbo.`);
    }
    const path = (req.url ?? '').replace(/\?.*$/s, '');
    if (`${path}/` === TURBO_PATH)
      throw new StationError('missing_trailing_slash', `Every path ends with a slash. Use ${TURBO_PATH}.`);
    if (path !== TURBO_PATH) {
      throw new StationError('not_found', `Only turbos connect here, by WebSocket to ${TURBO_PATH}.`);
    }
    if (isStopping()) throw new StationError('stopping', 'The station is stopping. Connect again when it is back.');
    if (signsInByHello(req)) return accept(req, socket, head, signIn.admission(callerOf(req, addresses)));
    const asker = await signIn.prove(signInOf(req), callerOf(req, addresses));
    if (!socket.destroyed) await accept(req, socket, head, signIn.admitted(asker));
  }

  return (req, socket, head) => {
    const drop = (): void => void socket.destroy();
    socket.on('error', drop);
    take(req, socket, head).catch((error: unknown) => {
      if (!(error instanceof StationError)) {
        log.error({ err: error }, 'a turbo could not be connected');
        return drop();
      }
      socket.end(messageOf(error, headersOf(error)), drop);
    });
  };
}

function headersOf(error: StationError): string[] {
  if (error instanceof TooManyRequests) return [`retry-after: ${error.retryAfterS}`];
  return error.code === 'unauthenticated' ? ['www-authenticate: Basic realm="Pickstation", charset="UTF-8"'] : [];
}

/**
 * Whether the turbo signs in after its `hello` by responding to a challenge. Turbos with older firmware expect an immediate refusal
 * instead.
 */
function signsInByHello({ url = '' }: IncomingMessage): boolean {
  return new URLSearchParams(url.replace(/^[^?]*\??/s, '')).get('sign_in') === 'challenge';
}

function signInOf({ headers }: IncomingMessage): { username: string; secret: string } {
  const key = apiKeyOf(headers);
  if (key !== undefined) return { username: '', secret: key };
  const [, encoded = ''] = /^basic +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  return basicCredentials(encoded) ?? { username: '', secret: '' };
}

/** Returns the address of the turbo, and whether passwords are accepted. The rules are the same as for HTTP requests. */
function callerOf(req: IncomingMessage, addresses: Addresses): TurboCaller {
  const { address, isEncrypted, isFromUnknown } = wayOf(req, addresses.isTrustedProxy);
  return { address, isSafeForPasswords: isSafeForPasswords(isEncrypted, isFromUnknown ? undefined : address) };
}
