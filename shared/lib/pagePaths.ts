/**
 * Paths of the pages. The server answers them with the page, so that links and reload work; the page chooses what to
 * show by them. `:id` matches one segment.
 */
export const PAGE_PATHS = {
  // Before `station`: its panels have paths below the same folder.
  devices: ['/devices', '/devices/batteries'],
  station: ['/', '/devices/:id'],
  alerts: ['/alerts', '/alerts/ended'],
  orders: ['/orders', '/orders/:order_number', '/orders/:order_number/print'],
  sequences: ['/sequences', '/sequences/:sequenceid'],
  locations: ['/locations', '/locations/import', '/locations/print'],
  turbos: ['/turbos', '/turbos/:id/frames'],
  callbacks: ['/callbacks', '/callbacks/:id'],
  history: ['/history', '/history/:id'],
  users: ['/users', '/users/programs', '/users/kiosks', '/users/screens', '/users/activity'],
  developer: ['/developer', '/developer/:id'],
  settings: ['/settings'],
  pick: ['/pick', '/pick/:order_number'],
  fleet: ['/fleet', '/fleet/alerts'],
  locate: ['/locate'],
  help: ['/help'],
  licences: ['/licences'],
  scanner: ['/scanner'],
  setupDevices: ['/setup-devices', '/setup-devices/print'],
  board: ['/board'],
  welcome: ['/welcome'],
} as const satisfies Record<string, readonly string[]>;

export type PageId = keyof typeof PAGE_PATHS;

const PATTERNS = Object.entries(PAGE_PATHS).flatMap(([page, paths]) =>
  paths.map((path) => ({ page: page as PageId, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`) })),
);

/** The page at a path such as `/devices/51D000:000001`; undefined: none. */
export function findPage(path: string): PageId | undefined {
  return PATTERNS.find(({ pattern }) => pattern.test(path))?.page;
}
