import OAuth2Server from '@node-oauth/oauth2-server';
import type { Request, Response } from 'express';
import { SCOPES, type Scope } from '#shared/api/access.ts';
import { type Access, type ProvedClient, TOKEN_SECONDS } from '../services/access/index.ts';
import { keepOutOfCaches } from './bodies/formats.ts';
import { recordOf } from './recording.ts';

const GRANT = 'client_credentials';

/** Issues a token as specified in RFC 6749. Resolves to undefined if the request was refused and `res` has already sent the refusal. */
export async function answerTokenRequest(asked: {
  req: Request;
  res: Response;
  form: URLSearchParams;
  clients: Access['clients'];
  address: string;
}) {
  const { req, res, form, clients, address } = asked;
  try {
    refuseRepeated(form);
    return await issue(req, form, clients, address);
  } catch (error) {
    answerRefusal(res, error, form);
    return undefined;
  }
}

/** Throws if a parameter is repeated (RFC 6749, section 3.2). */
function refuseRepeated(form: URLSearchParams): void {
  if (new Set(form.keys()).size === form.size) return;
  throw new OAuth2Server.InvalidRequestError('Invalid request: a parameter is repeated');
}

async function issue(req: Request, form: URLSearchParams, clients: Access['clients'], address: string) {
  const issued = { seconds: 0 };
  const server = new OAuth2Server({ model: modelOf(clients, address, issued), accessTokenLifetime: TOKEN_SECONDS });
  const headers = Object.fromEntries(
    ['authorization', 'content-type', 'content-length', 'transfer-encoding'].flatMap((name) => {
      const value = req.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
  const request = new OAuth2Server.Request({
    method: 'POST',
    headers,
    query: {},
    // RFC 6749, section 3.2: a parameter without a value counts as omitted.
    body: Object.fromEntries([...form].filter(([, value]) => value !== '')),
  });
  const token = await server.token(request, new OAuth2Server.Response());
  return {
    access_token: token.accessToken,
    token_type: 'Bearer' as const,
    expires_in: issued.seconds,
    scope: highest(token.scope ?? []) ?? ('read' as const),
  };
}

/** Returns the model for the OAuth2 library. Sets `issued.seconds` to the lifetime of the token. */
function modelOf(
  clients: Access['clients'],
  address: string,
  issued: { seconds: number },
): OAuth2Server.ClientCredentialsModel {
  return {
    async getClient(clientId, clientSecret) {
      const user = await clients.prove(clientId, clientSecret ?? '', address);
      // Turbos sign in with their keys, so they get no tokens.
      return user && { id: clientId, grants: user.scope === 'turbo' ? [] : [GRANT], user };
    },
    getUserFromClient: (client) => Promise.resolve({ ...(client['user'] as ProvedClient) }),
    validateScope(user, _client, scope) {
      const most = user['scope'] as Scope;
      const asked = scope === undefined ? most : highest(scope);
      const isAllowed = asked !== undefined && SCOPES.indexOf(asked) <= SCOPES.indexOf(most);
      return Promise.resolve(isAllowed ? [asked] : false);
    },
    async generateAccessToken(_client, user, scope) {
      const client = { id: Number(user['id']), secretHash: String(user['secretHash']) };
      const { token, seconds } = await clients.issue(client, highest(scope) ?? 'read');
      issued.seconds = seconds;
      return token;
    },
    saveToken: (token, client, user) => Promise.resolve({ ...token, client, user }),
    // Not used: tokens are verified elsewhere, like keys.
    getAccessToken: () => Promise.resolve(undefined),
  };
}

/** Returns the highest of these scopes, or undefined if one is unknown. */
function highest(scope: readonly string[]): Scope | undefined {
  if (!scope.every((word) => SCOPES.some((each) => each === word))) return undefined;
  return SCOPES.findLast((each) => scope.includes(each));
}

/** Sends a refusal as specified in RFC 6749, section 5.2. Rethrows other errors. */
function answerRefusal(res: Response, error: unknown, form: URLSearchParams): void {
  if (error instanceof OAuth2Server.ServerError) throw innerOf(error);
  if (!(error instanceof OAuth2Server.OAuthError)) throw error;
  const isOtherGrant = error.name === 'unauthorized_client' && form.get('grant_type') !== GRANT;
  const name = isOtherGrant ? 'unsupported_grant_type' : error.name;
  if (name === 'invalid_client') {
    res.status(401);
    res.setHeader('www-authenticate', 'Basic realm="Pickstation"');
  } else res.status(400);
  keepOutOfCaches(res);
  res.setHeader('content-type', 'application/json; charset=utf-8');
  const text = JSON.stringify({ error: name, error_description: error.message });
  recordOf(res)?.answered(text);
  res.end(text);
}

/** Returns the error that our own code threw inside the library, for example after too many wrong secrets. */
function innerOf(error: Error): unknown {
  return 'inner' in error ? error.inner : error;
}
