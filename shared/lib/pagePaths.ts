/**
 * The addresses of the window's pages: the server answers them with the page, so that links and reload work, and the page
 * finds by them what to show. `:id` stands for one part.
 */
export const PAGE_PATHS = {
  // Before the station, whose panels stand below the same folder.
  devices: ['/devices', '/devices/batteries'],
  station: ['/', '/devices/:id'],
  alerts: ['/alerts', '/alerts/ended'],
  orders: ['/orders', '/orders/:order_number'],
  sequences: ['/sequences', '/sequences/:sequenceid'],
  locations: ['/locations', '/locations/import', '/locations/print'],
  turbos: ['/turbos', '/turbos/:id/frames'],
  callbacks: ['/callbacks', '/callbacks/:id'],
  history: ['/history', '/history/:id'],
  users: ['/users', '/users/programs', '/users/activity'],
  developer: ['/developer', '/developer/:id'],
  settings: ['/settings'],
  welcome: ['/welcome'],
} as const satisfies Record<string, readonly string[]>;

export type PageId = keyof typeof PAGE_PATHS;

const PATTERNS = Object.entries(PAGE_PATHS).flatMap(([page, paths]) =>
  paths.map((path) => ({ page: page as PageId, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`) })),
);

/** Which page stands at an address such as `/devices/51D000:000001`; undefined where there is none. */
export function findPage(path: string): PageId | undefined {
  return PATTERNS.find(({ pattern }) => pattern.test(path))?.page;
}
