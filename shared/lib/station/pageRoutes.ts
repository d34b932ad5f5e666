/**
 * Addresses of pages. The station answers each address with the same page, so that links and reloading work, and the page chooses its
 * content by the address. `:id` matches one segment.
 */
export const ROUTES = {
  today: ['/today'],
  alerts: ['/alerts', '/alerts/ended'],
  orders: ['/orders', '/orders/:order_number', '/orders/:order_number/print'],
  pick: ['/pick', '/pick/:order_number', '/pick/carts/:id', '/pick/walls/:id'],
  pack: ['/pack', '/pack/:id'],
  articles: ['/articles', '/articles/:sku'],
  places: ['/places', '/places/print', '/places/batteries'],
  carts: ['/places/carts', '/places/carts/batches/:id', '/places/carts/print'],
  import: ['/import'],
  setUp: ['/places/set-up', '/places/set-up/print'],
  history: ['/history', '/history/:command_id'],
  gateways: ['/connections', '/connections/gateways/:id/frames'],
  callbacks: ['/connections/callbacks', '/connections/callbacks/:id'],
  callbackSettings: ['/connections/callback-settings'],
  programs: ['/connections/programs'],
  sequences: ['/connections/sequences', '/connections/sequences/:sequenceid'],
  mqtt: ['/connections/mqtt'],
  folders: ['/connections/folders'],
  mail: ['/connections/mail'],
  fleet: ['/connections/stations', '/connections/stations/alerts'],
  developer: ['/connections/developer', '/connections/developer/:id'],
  settings: ['/settings'],
  people: ['/settings/people', '/settings/kiosks', '/settings/screens', '/settings/activity'],
  locate: ['/locate'],
  help: ['/help'],
  licences: ['/licences'],
  scanner: ['/scanner'],
  welcome: ['/welcome'],
  board: ['/board'],
} as const satisfies Record<string, readonly string[]>;

export type PageId = keyof typeof ROUTES;

/** Destinations of the navigation rail, in order. */
export const DESTINATIONS = [
  'today',
  'orders',
  'pick',
  'pack',
  'articles',
  'places',
  'history',
  'connections',
  'settings',
] as const;
export type DestinationId = (typeof DESTINATIONS)[number];

/** Returns the first address of a page. */
export function pageAddress(page: PageId): string {
  return ROUTES[page][0];
}

/** What determines a person's first page. */
export type Visitor = {
  /** Whether the person can only pick. */
  isPicker: boolean;
  /** Whether the window is as narrow as a phone. */
  isNarrow: boolean;
};

/** Returns a person's first page: Pick for pickers and on phones, otherwise Today. */
export function homeOf({ isPicker, isNarrow }: Visitor): string {
  return pageAddress(isPicker || isNarrow ? 'pick' : 'today');
}

/**
 * Addresses from earlier versions, which links, e-mails and bookmarks may contain, with their replacements. A parameter such as `:id` is
 * copied to the replacement.
 */
const MOVED: readonly (readonly [from: string, to: string])[] = [
  ['/devices', '/places?columns=devices&sort=state'],
  ['/places/devices', '/places?columns=devices&sort=state'],
  ['/devices/batteries', '/places/batteries'],
  ['/devices/:id', '/today?device=:id'],
  ['/locations', '/places'],
  ['/locations/import', '/import?what=places'],
  ['/places/import', '/import?what=places'],
  ['/orders/import', '/import?what=orders'],
  ['/locations/print', '/places/print'],
  ['/setup-devices', '/places/set-up'],
  ['/setup-devices/print', '/places/set-up/print'],
  ['/turbos', '/connections'],
  ['/turbos/:id/frames', '/connections/gateways/:id/frames'],
  ['/connections/gateways', '/connections'],
  ['/callbacks', '/connections/callbacks'],
  ['/callbacks/:id', '/connections/callbacks/:id'],
  ['/sequences', '/connections/sequences'],
  ['/sequences/:id', '/connections/sequences/:id'],
  ['/users', '/settings/people'],
  ['/users/programs', '/connections/programs'],
  ['/users/kiosks', '/settings/kiosks'],
  ['/users/activity', '/settings/activity'],
  ['/developer', '/connections/developer'],
  ['/developer/:id', '/connections/developer/:id'],
  ['/fleet', '/connections/stations'],
  ['/fleet/alerts', '/connections/stations/alerts'],
];

/** Groups of settings that moved to Connections, by their hashes in earlier versions. */
const MOVED_GROUPS = new Map(
  Object.entries<PageId>({
    '#callbacks': 'callbackSettings',
    '#mqtt': 'mqtt',
    '#folders': 'folders',
    '#mail': 'mail',
  }),
);

const PATTERNS = Object.entries(ROUTES).flatMap(([page, paths]) =>
  paths.map((path) => ({ page: page as PageId, path, pattern: patternOf(path) })),
);
const MOVED_PATTERNS = MOVED.map(([from, to]) => ({ pattern: patternOf(from), names: namesIn(from), to }));

/** Finds the page at a path such as `/orders/10418`. Returns undefined if there is none. */
export function findPage(path: string): PageId | undefined {
  return routeAt(path)?.page;
}

/** Whether the station answers this path with the page. */
export function isPagePath(path: string): boolean {
  return path === '/' || routeAt(path) !== undefined || isMoved(path);
}

/** Returns the parameter in a path, still encoded (`SO%2F1`), or undefined if there is none. */
export function routeId(path: string): string | undefined {
  return routeAt(path)?.id;
}

/**
 * Returns the address that replaces an earlier one, with the same query, or undefined if the address was not replaced. Keeps the hash,
 * unless it was the name of a group of settings. `/` redirects to `home`.
 */
export function movedTo({ pathname, search, hash }: Pick<URL, 'pathname' | 'search' | 'hash'>, home: string) {
  const group = findPage(pathname) === 'settings' ? MOVED_GROUPS.get(hash) : undefined;
  if (group !== undefined) return `${pageAddress(group)}${search}`;
  const target = targetOf(pathname, home);
  if (target === undefined) return undefined;
  const [path = '', query = ''] = target.split('?');
  const queries = [query, search.slice(1)].filter((each) => each !== '').join('&');
  return `${path}${queries === '' ? '' : `?${queries}`}${hash}`;
}

/** Whether a path, as in the address bar, was replaced by a different address. */
export function isMoved(path: string): boolean {
  return MOVED_PATTERNS.some(({ pattern }) => pattern.test(path));
}

function targetOf(pathname: string, home: string): string | undefined {
  if (pathname === '/') return home;
  for (const { pattern, names, to } of MOVED_PATTERNS) {
    const found = pattern.exec(pathname);
    if (found === null) continue;
    return names.reduce((target, name, at) => target.replace(`:${name}`, () => found[at + 1] ?? ''), to);
  }
  return undefined;
}

function routeAt(path: string): { page: PageId; id: string | undefined } | undefined {
  for (const { page, pattern } of PATTERNS) {
    const found = pattern.exec(path);
    if (found !== null) return { page, id: found.at(-1) === found[0] ? undefined : found.at(-1) };
  }
  return undefined;
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}/?$`);
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}
