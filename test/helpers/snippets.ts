import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');

/** The comment before a code block, such as `<!-- request: POST /api/orders/ -->`. */
export type SnippetMark = { kind: string; value: string };
export type Snippet = { page: string; line: number; language: string; mark: SnippetMark | undefined; code: string };

/** Pages for engineers and firmware authors. Other tests and the generators check their contents. */
const NOT_FOR_INTEGRATORS = new Set(['architecture', 'gallery', 'releasing', 'screens', 'testing', 'turbo-protocol']);

/** Kinds of marks by language. Each block needs one of them. A block in a language without kinds runs as a program. */
export const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  sh: [],
  py: [],
  js: [],
  mjs: [],
  http: [],
  json: ['request', 'answer', 'callback'],
  xml: ['request'],
  csv: ['request'],
  text: ['printed by'],
};

/** Kinds of marks that any program block can have. */
export const PROGRAM_MARKS: readonly string[] = ['keeps running'];

/** What a block can need in addition to a station, with the test that runs all blocks that need it. */
export const NEEDS: Readonly<Record<string, string>> = {
  bookings: 'test/shells/bookPage.test.ts',
  broker: 'test/brokers/page.test.ts',
  'recorded shapes': 'test/shells/connectorPage.test.ts',
  'pickstation-client': 'test/integration/http/clientInNode.test.ts',
  folder: 'test/integration/imports/foldersInbox.test.ts',
};

/** Blocks that no test runs, identified by their beginning. */
export const NOT_RUN: readonly { page: string; starts: string; reason: string }[] = [
  { page: 'README.md', starts: 'npm ci && npm start', reason: 'Each section of .ci/run begins with it.' },
  { page: 'docs/light-a-shelf.md', starts: 'npm ci', reason: 'Each section of .ci/run begins with it.' },
  { page: 'docs/operating.md', starts: 'npm run serve -- --restore', reason: 'Names a stick; restoreKilled restores.' },
  { page: 'docs/operating.md', starts: 'npm run serve -- --check', reason: 'shells/check runs it on data of its own.' },
  { page: 'docs/operating.md', starts: 'npm run serve -- --service', reason: 'shells/privileged/service installs it.' },
  {
    page: 'docs/operating.md',
    starts: 'podman build',
    reason: 'Needs podman and images; unit/containerFile reads the file.',
  },
  { page: 'docs/operating.md', starts: 'location / {', reason: 'Needs nginx; the proxy tests send these headers.' },
  {
    page: 'docs/moving-in.md',
    starts: 'cd docs/examples',
    reason: 'Needs two servers; examplesDevices.test.ts has them.',
  },
  { page: 'docs/erp.md', starts: 'TRYTON_URL', reason: 'Needs a Tryton server; test/erp has one.' },
  { page: 'docs/wled.md', starts: 'curl', reason: 'Names a controller of a shop; integration/wled connects one.' },
  { page: 'docs/open-display.md', starts: 'curl', reason: 'Names a display of a shop; openDisplayAdded adds one.' },
  { page: 'docs/scripts.md', starts: '$order', reason: 'Needs PowerShell; httpScripts sends its bytes.' },
  { page: 'docs/scripts.md', starts: 'using System', reason: 'Needs .NET; httpScripts sends its bytes.' },
  { page: 'docs/scripts.md', starts: 'Function Light', reason: 'Needs Excel; httpScripts sends its bytes.' },
  { page: 'docs/scripts.md', starts: 'function sendOrder', reason: 'Runs at Google; httpScripts sends its bytes.' },
  { page: 'docs/examples/README.md', starts: 'PICKSTATION_TURBO_SECRET', reason: 'turboContract runs turbo.py.' },
];

/** The API description, whose introduction contains a command to copy. */
const API_REFERENCE = 'resources/openapi/whole.json';

/** Lists the pages that integrators and operators copy from. New pages in these folders are included automatically. */
export function listPages(): string[] {
  const inFolder = (folder: string) =>
    readdirSync(join(ROOT, folder))
      .filter((file) => file.endsWith('.md') && !NOT_FOR_INTEGRATORS.has(file.slice(0, -3)))
      .map((file) => `${folder}/${file}`);
  return ['README.md', ...inFolder('docs'), ...inFolder('docs/examples'), API_REFERENCE];
}

export function readPage(page: string): string {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return page === API_REFERENCE ? (JSON.parse(text) as { info: { description: string } }).info.description : text;
}

/** Lists the fenced blocks of a page. */
export function listSnippets(page: string): Snippet[] {
  return findSnippets(page, readPage(page));
}

export function findSnippets(page: string, text: string): Snippet[] {
  const block = /(?:^ *<!-- (?<mark>[^\n]*?) -->\n\s*)?^(?<indent> *)```(?<language>[^\n]*)\n(?<code>.*?)^ *```$/gms;
  return [...text.matchAll(block)].map(({ index, groups = {} }) => {
    const { mark, indent = '', language = '', code = '' } = groups;
    return {
      page,
      line: text.slice(0, index).split('\n').length,
      language,
      mark: mark === undefined ? undefined : readMark(mark),
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    };
  });
}

function readMark(mark: string): SnippetMark {
  const [kind = '', ...rest] = mark.split(': ');
  return { kind, value: rest.join(': ') };
}

export function isListed({ page, code }: Snippet): boolean {
  return NOT_RUN.some((each) => each.page === page && code.startsWith(each.starts));
}

/** Returns whether `test/shells/snippets.test.ts` runs the block. */
export function isRun(snippet: Snippet): boolean {
  return snippet.mark?.kind !== 'needs' && !isListed(snippet);
}

/** Returns why a block is not run, or undefined if the block is run or listed in NOT_RUN. */
export function findFault(snippet: Snippet): string | undefined {
  const { mark, language } = snippet;
  if (isListed(snippet)) return undefined;
  if (mark?.kind === 'needs')
    return mark.value in NEEDS ? undefined : `nothing runs blocks that need ${mark.value}: see NEEDS`;
  const kinds = LANGUAGES[language];
  if (kinds === undefined) return `the language "${language}" is not run: see LANGUAGES`;
  if (kinds.length === 0) {
    const isKnown = mark === undefined || PROGRAM_MARKS.includes(mark.kind);
    return isKnown ? undefined : `the mark "${mark.kind}" means nothing before ${language}`;
  }
  if (mark !== undefined && kinds.includes(mark.kind)) return undefined;
  return `${language} needs a comment before it that says what it is: ${kinds.join(', ')}`;
}
