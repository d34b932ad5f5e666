import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, test, vi } from 'vitest';

const ENTRY = 'renderer/src/main.tsx';
/** Maximum size in kilobytes of the gzipped scripts that a browser loads before it can show a page. */
const LIMITS: Readonly<Record<string, number>> = {
  'signIn/SignInPage.tsx': 265,
  'pick/PickPage.tsx': 284,
  'kiosk/KioskPage.tsx': 265,
  // Includes the form for new orders.
  'orders/OrdersPage.tsx': 340,
  // Includes the e-paper font, because the map draws device screens.
  'station/StationPage.tsx': 405,
};
const OTHERS = 340;

type Chunk = Rolldown.OutputChunk;

/** Builds the page and returns its scripts. */
async function buildPage(): Promise<Chunk[]> {
  const root = new URL('../../..', import.meta.url).pathname;
  vi.stubEnv('NODE_ENV', 'production');
  const built = await build({
    configFile: `${root}/vite.config.ts`,
    logLevel: 'error',
    build: { write: false },
  }).finally(() => vi.unstubAllEnvs());
  const outputs = [built].flat() as Rolldown.RolldownOutput[];
  return outputs.flatMap(({ output }) => output).filter((each): each is Chunk => each.type === 'chunk');
}

/** Returns a script and everything that it imports statically. */
function closure(start: Chunk, chunks: readonly Chunk[]): Set<Chunk> {
  const found = new Set([start]);
  for (const { imports } of found) for (const each of chunks) if (imports.includes(each.fileName)) found.add(each);
  return found;
}

test('each page loads little before it is shown', async () => {
  const chunks = await buildPage();
  const kB = new Map(chunks.map((chunk) => [chunk, gzipSync(chunk.code, { level: 9 }).length / 1_000]));
  const has = ({ moduleIds }: Chunk, file: string) => moduleIds.some((id) => id.endsWith(file));
  const entry = chunks.find((chunk) => chunk.isEntry);
  if (entry === undefined) throw new Error(`No chunk has ${ENTRY}.`);
  const frame = closure(entry, chunks);
  expect(has(entry, ENTRY)).toBe(true);
  const pages = chunks.filter(({ facadeModuleId }) => /\/features\/\w+\/\w+Page\.tsx$/.test(facadeModuleId ?? ''));
  expect(pages.length).toBeGreaterThan(20);
  const sizes = [...pages, entry].map((chunk) => {
    const page = chunk === entry ? 'signIn/SignInPage.tsx' : (chunk.facadeModuleId ?? '').split('/features/')[1];
    const loaded = new Set([...frame, ...closure(chunk, chunks)]);
    const size = [...loaded].reduce((sum, each) => sum + (kB.get(each) ?? 0), 0);
    return { page, size: Math.round(size), limit: LIMITS[page ?? ''] ?? OTHERS };
  });
  expect(sizes.filter(({ size, limit }) => size > limit)).toEqual([]);
  // Checks that the sum includes the imports of a page.
  expect(Math.min(...sizes.map(({ size }) => size))).toBeGreaterThan(150);
});
