/** Processor time of a loop by layer, from a CPU profile of the station: `npm run bench -- --profile`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openYard } from './figures/loop.ts';
import type { Workplace } from './load/processes.ts';

const WARM_UP_MS = 15_000;
const MEASURED_MS = 8_000;
/** Microseconds between two samples of the profile. */
const SAMPLE_US = 200;
const FUNCTIONS_SHOWN = 40;

type Frame = { functionName: string; url: string };
type Node = { id: number; callFrame: Frame; children?: number[] };
type Profile = { nodes: Node[]; samples: number[]; timeDeltas: number[] };

/**
 * Layers of the program. A function belongs to the first row that matches it or, if none does, to the layer of its nearest caller that a
 * row matches.
 */
const LAYERS: readonly (readonly [layer: string, fits: (frame: Frame) => boolean])[] = [
  ['waiting', ({ functionName }) => functionName === '(idle)'],
  ['garbage collection', ({ functionName }) => functionName === '(garbage collector)'],
  ['commit', ({ functionName, url }) => functionName === 'commitOpen' && url.includes('/db/writer.ts')],
  ['SQL', ({ url }) => /\/(db\/repositories|db\/lazyStatements|better-sqlite3)/.test(url)],
  ['writer', ({ url }) => url.includes('/server/db/')],
  ['callbacks: client', ({ url }) => /\/(undici\/|server\/httpClient\.ts)/.test(url)],
  ['callbacks: service', ({ url }) => url.includes('/services/callbacks/')],
  ['frames', ({ url }) => url.includes('/server/turbo/')],
  ['event streams', ({ url }) => url.includes('/http/events.ts')],
  [
    'Express and parsers',
    ({ url }) => /\/node_modules\/(express|router|body-parser|finalhandler|send|helmet)/.test(url),
  ],
  ['endpoints', ({ url }) => url.includes('/server/http/') || url.includes('/zod/')],
  ['engine', ({ url }) => /\/(electron\/server|shared)\//.test(url)],
  ['node:http', ({ url }) => /^node:_?http/.test(url)],
  ['Node', ({ functionName }) => functionName === '(root)'],
];

export async function profileLoop(place: Workplace, callers: number): Promise<void> {
  const folder = place.folder();
  const yard = await openYard();
  const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${SAMPLE_US}`];
  const station = await yard.station(place.folder(), flags);
  await yard.loop(station, callers, WARM_UP_MS);
  const before = station.server.cpuMs();
  const { perSecond } = await yard.loop(station, callers, MEASURED_MS);
  const cpuMs = station.server.cpuMs() - before;
  station.turbo.close();
  await station.server.stop();
  yard.close();
  const [file] = readdirSync(folder);
  if (file === undefined) throw new Error('The station left no profile');
  const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile;
  const perLoop = cpuMs / ((perSecond * MEASURED_MS) / 1_000);
  process.stdout.write(`At ${callers} callers ${perSecond.toFixed(0)} loops/s of ${(perLoop * 1_000).toFixed(0)} µs\n`);
  report(profile, perLoop * 1_000);
}

/** Prints how many microseconds of a loop each layer and function takes. Samples from the station's startup are few enough to ignore. */
function report({ nodes, samples, timeDeltas }: Profile, perLoopUs: number): void {
  const parents = new Map<number, Node>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node);
  const layers = new Map<string, number>();
  const functions = new Map<string, number>();
  const total = { busy: 0 };
  for (const [index, id] of samples.entries()) {
    const node = byId.get(id);
    const us = timeDeltas[index] ?? 0;
    const layer = layerOf(node, parents);
    if (node === undefined || layer === 'waiting') continue;
    total.busy += us;
    add(layers, layer, us);
    const { functionName, url } = node.callFrame;
    const caller = parents.get(node.id)?.callFrame.functionName ?? '';
    add(functions, `${layer.padEnd(20)} ${functionName || '(anonymous)'} ${shortened(url)} < ${caller}`, us);
  }
  const row = ([name, us]: readonly [string, number]): string =>
    `${((us / total.busy) * perLoopUs).toFixed(1).padStart(8)}  ${((us / total.busy) * 100).toFixed(1).padStart(5)} %  ${name}\n`;
  const sorted = (counts: Map<string, number>) => [...counts].toSorted(([, one], [, other]) => other - one);
  process.stdout.write(`\n      µs          of a loop\n${sorted(layers).map(row).join('')}\n`);
  process.stdout.write(sorted(functions).slice(0, FUNCTIONS_SHOWN).map(row).join(''));
}

function layerOf(node: Node | undefined, parents: ReadonlyMap<number, Node>): string {
  for (let at = node; at !== undefined; at = parents.get(at.id)) {
    const { callFrame } = at;
    const row = LAYERS.find(([, fits]) => fits(callFrame));
    if (row !== undefined) return row[0];
  }
  return 'Node';
}

function add(counts: Map<string, number>, key: string, us: number): void {
  counts.set(key, (counts.get(key) ?? 0) + us);
}

function shortened(url: string): string {
  return url.replace(/^.*\/(node_modules|electron|shared)\//, '');
}
