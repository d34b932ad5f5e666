/**
 * Draws the two diagrams of docs/architecture.md from the imports in the code.
 *
 * node tools/architecture.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CodeImport, listImports } from './codeImports.ts';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENT = join(ROOT, 'docs', 'architecture.md');
const SERVICES = 'electron/server/services/';

/** Parts of the program by path. A file belongs to the first part whose path is a prefix of the file's path. */
const PARTS: readonly [path: string, part: string][] = [
  ['shared/', 'shared'],
  ['renderer/', 'renderer'],
  ['electron/main/', 'main'],
  ['electron/preload/', 'preload'],
  ['electron/headless/', 'headless'],
  ['electron/turboSim/', 'turboSim'],
  ['electron/server/domain/', 'domain'],
  ['electron/server/db/', 'db'],
  ['electron/server/scheduling/', 'scheduling'],
  [SERVICES, 'services'],
  ['electron/server/turbo/', 'turbo'],
  ['electron/server/simulator/', 'simulator'],
  ['electron/server/copier/', 'copier'],
  ['electron/server/http/', 'http'],
  ...['systemPorts.ts', 'sideProcesses.ts', 'network/', 'files/', 'logs/'].map((name): [string, string] => [
    `electron/server/${name}`,
    'system ports',
  ]),
  ['electron/server/errors.ts', ''],
  ['electron/server/ports.ts', ''],
  ['electron/server/ports/', ''],
  ['electron/server/config.ts', ''],
  ['electron/server/', 'station'],
];

function partOf(path: string): string {
  return PARTS.find(([start]) => path.startsWith(start))?.[1] ?? '';
}

function nounOf(path: string): string {
  const [noun = '', file] = path.startsWith(SERVICES) ? path.slice(SERVICES.length).split('/') : [];
  return file === undefined ? '' : noun;
}

/** Returns a mermaid diagram of imports. Each arrow shows the number of imports. */
function diagramOf(imports: readonly CodeImport[], nameOf: (path: string) => string): string {
  const counts = new Map<string, number>();
  for (const { from, to } of imports) {
    const [a, b] = [nameOf(from), nameOf(to)];
    if (a === '' || b === '' || a === b) continue;
    const edge = `  ${idOf(a)} -->|%| ${idOf(b)}`;
    counts.set(edge, (counts.get(edge) ?? 0) + 1);
  }
  const edges = [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([edge, count]) => edge.replace('%', `${count}`));
  return ['```mermaid', 'flowchart TD', ...edges, '```'].join('\n');
}

/** Returns a mermaid node for a name. Ids of nodes cannot contain spaces. */
function idOf(name: string): string {
  return name.includes(' ') ? `${name.replaceAll(' ', '')}["${name}"]` : name;
}

const imports = listImports();
const DIAGRAMS = { layers: diagramOf(imports, partOf), nouns: diagramOf(imports, nounOf) };

/** Returns the document with the diagrams between its markers brought up to date. */
export function drawnIn(document: string): string {
  return Object.entries(DIAGRAMS).reduce(
    (text, [name, diagram]) =>
      text.replace(
        new RegExp(`(<!-- ${name} -->\\n)[^]*?(\\n<!-- /${name} -->)`),
        (_, start: string, end: string) => `${start}\n${diagram}\n${end}`,
      ),
    document,
  );
}

if (process.argv[1] === import.meta.filename) writeFileSync(DOCUMENT, drawnIn(readFileSync(DOCUMENT, 'utf8')));
