import { Router, type Request, type RequestHandler } from 'express';
import { StationError } from '../errors.ts';
import type { Access, Caller } from '../services/access/index.ts';
import { neededRights, type Endpoint } from './endpoint.ts';
import { createHandler, type HandlerParts } from './endpointHandler.ts';
import { createFileTurns, type FileTurns } from './bodies/fileTurns.ts';
import type { Addresses } from './port/guard.ts';
import { shapeOf } from './compat/bodyShape.ts';
import { recordOf } from './recording.ts';
import { readBody, withBody } from './bodies/requestBody.ts';
import { authorize, checkAskedFor } from './signIn.ts';

/** Tags whose requests and responses may contain secrets, which the request log hides. */
const SECRET_TAGS: ReadonlySet<Endpoint['tag']> = new Set([
  'access',
  'backups',
  'callbacks',
  'settings',
  'turbos',
] as const);

/** Maximum number of characters of an unknown path to show in the error. */
const MAX_SHOWN = 300;

const NOBODY: Caller = { name: '', scope: 'read', credential: { kind: 'none' } };

const STRICTLY = { strict: true, caseSensitive: true };

type Parts = Omit<HandlerParts, 'turns'> & {
  access: Access;
  addresses: Addresses;
  isStopping: () => boolean;
  /** Returns why the station accepts no changes, or undefined if it does. */
  refusal: () => StationError | undefined;
  /** Returns a sentence that suggests what the caller of an unknown path meant. */
  hintFor: (path: string) => string;
};

/** Creates the routes of all endpoints, and refuses unknown paths and methods. */
export function createRouter({ endpoints, ...given }: Parts & { endpoints: readonly Endpoint[] }): Router {
  const router = Router(STRICTLY);
  const parts = { ...given, turns: createFileTurns() };
  const nouns = Map.groupBy(endpoints, ({ path }) => nounOf(path));
  const made = new Map<string, Router>();
  const routesFor = (noun: string, ofNoun: readonly Endpoint[]): Router => {
    const routes = made.get(noun) ?? routesOf(ofNoun, parts);
    made.set(noun, routes);
    return routes;
  };
  // Create a router per noun when the noun is first requested: there are hundreds of routes, and Express tries them one by one.
  router.use((req, res, next) => {
    const noun = nounOf(req.path);
    const ofNoun = nouns.get(noun);
    if (ofNoun === undefined) next();
    else routesFor(noun, ofNoun)(req, res, next);
  });
  for (const [noun, ofNoun] of nouns) if (noun.includes('{')) router.use(routesFor(noun, ofNoun));
  router.all(['/api', '/api/{*rest}'], (req) => {
    throw nothingAt(req.path, parts.hintFor);
  });
  return router;
}

/** Returns the error for an unknown path. */
export function nothingAt(path: string, hintFor: Parts['hintFor']): StationError {
  const shown = path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN)}…` : path;
  return new StationError(
    'not_found',
    `There is nothing at ${shown}.${hintFor(path)} /api/openapi.json lists every path.`,
  );
}

function routesOf(endpoints: readonly Endpoint[], parts: Parts & { turns: FileTurns }): Router {
  const router = Router(STRICTLY);
  for (const endpoint of endpoints) {
    const verb = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    // Identify the caller before reading the body.
    const read = withBody(endpoint);
    router[verb](
      routeOf(endpoint),
      identify(endpoint, parts),
      ...readBody(read, parts.turns),
      createHandler(read, SECRET_TAGS.has(read.tag), parts),
    );
  }
  for (const defined of Map.groupBy(endpoints, ({ path }) => path).values()) refuseOtherMethods(router, defined);
  return router;
}

/** Returns the beginning of a path that only endpoints for one noun share, such as `/api/orders`. */
function nounOf(path: string): string {
  return path.split('/', 3).join('/');
}

/** Returns middleware that identifies the caller and checks the right. */
function identify(endpoint: Endpoint, parts: Parts): RequestHandler {
  const { addresses, isStopping, refusal } = parts;
  const holdsSecrets = SECRET_TAGS.has(endpoint.tag);
  const schema = endpoint.documentedBody ?? endpoint.body;
  const shape = schema === undefined ? undefined : () => shapeOf(schema);
  const rights = neededRights(endpoint);

  function callerOf(req: Request): Caller | Promise<Caller> {
    if (endpoint.right !== 'public') return authorize(req, rights, parts);
    return endpoint.knowsCallers === true ? callerOrNobody(() => authorize(req, ['read'], parts)) : NOBODY;
  }

  return (req, res, next) => {
    recordOf(res)?.found(holdsSecrets, shape);
    if (endpoint.hasEffect === true && req.method === 'HEAD') return next('route');
    if (isStopping()) throw new StationError('stopping', 'The station is stopping. Try again when it is back.');
    const refused = refusal();
    if (refused !== undefined && (endpoint.method !== 'GET' || endpoint.hasEffect === true)) throw refused;
    const proceed = (caller: Caller): void => {
      res.locals['caller'] = caller;
      if (endpoint.hasEffect === true) checkAskedFor(req, caller, addresses);
      next();
    };
    const caller = callerOf(req);
    if (caller instanceof Promise) return caller.then(proceed);
    proceed(caller);
  };
}

/** Refuses other methods for the path of these endpoints, and requests to the path without its trailing slash. */
function refuseOtherMethods(router: Router, defined: readonly Endpoint[]): void {
  const [first] = defined;
  if (first === undefined) return;
  const route = routeOf(first);
  const allowed = defined.map(({ method }) => method);
  if (defined.some(({ method, hasEffect }) => method === 'GET' && hasEffect !== true)) allowed.push('HEAD');
  router.all(route, (req, res) => {
    res.setHeader('allow', allowed.join(', '));
    throw new StationError('method_not_allowed', `${req.method} is not allowed here. Allowed: ${allowed.join(', ')}.`);
  });
  if (typeof route !== 'string' || !route.endsWith('/')) return;
  router.all(route.slice(0, -1), (req) => {
    throw new StationError('missing_trailing_slash', `Every path ends with a slash. Use ${req.path}/.`);
  });
}

/** Identifies the caller of a public endpoint. Callers whose sign-in is refused count as anonymous. */
async function callerOrNobody(find: () => Caller | Promise<Caller>): Promise<Caller> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof StationError) return NOBODY;
    throw error;
  }
}

function routeOf({ path, route }: Endpoint): string | RegExp {
  return route ?? path.replace(/\{(\w+)\}/g, ':$1');
}
