import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { drawnIn } from '../../../tools/architecture.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FOLDERS = ['.ci', 'bench', 'docs', 'electron', 'packages', 'renderer', 'resources', 'shared', 'test', 'tools'];

/** The paths of all files and folders in the repository. */
const PATHS = new Set(
  FOLDERS.flatMap((folder) => [
    folder,
    ...readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  ])
    .concat(readdirSync(ROOT))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules/')),
);
const NAMES = new Set([...PATHS].map((path) => basename(path)));
const DECISIONS = new Set([...PATHS].flatMap((path) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? []));

const DOCUMENTS = [...PATHS].filter((path) => /^(?:[A-Z]+|docs\/.*)\.md$/.test(path));
const SOURCES = [...PATHS].filter((path) => /^(?!docs|test\/golden).*\.(?:ts|tsx|mjs|css|py)$/.test(path));

/** Matches names with extensions that only repository files have. A data folder also has `.json` and `.pem` files. */
const FILE = /^[\w@./-]+\.(?:ts|tsx|mjs|css|py|sh|md)$/;

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const withoutFences = (text: string): string => text.replaceAll(/^ *```.*?^ *```/gms, '');
const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

function isKnownFile(path: string): boolean {
  return path.includes('/') ? [...PATHS].some((each) => `/${each}`.endsWith(`/${path}`)) : NAMES.has(path);
}

/** Finds names in backticks and `docs/…` paths that do not exist, and decision numbers without a page. */
function findDead(text: string): string[] {
  const quoted = matches(text, /`([^`\n]+)`/g);
  const files = quoted.filter((word) => FILE.test(word) && !isKnownFile(word.replace(/^\.?\//, '')));
  const inFolders = quoted.filter((word) => /^[\w./-]+$/.test(word) && FOLDERS.includes(word.split('/')[0] ?? ''));
  const documents = matches(text, /(?<![\w/}'"`.])(docs\/[\w/-]+(?:\.\w+)?)/g).filter((path) => !/\/\d{4}$/.test(path));
  const folders = [...inFolders, ...documents].filter((path) => !PATHS.has(path.replace(/\/$/, '')));
  const numbers = matches(text, /(?:decisions\/|[Dd]ecision |\()(0\d{3})\b/g);
  return [...files, ...folders, ...numbers.filter((number) => !DECISIONS.has(number))];
}

/** Lists the anchors that GitHub generates for headings. */
function listAnchors(page: string): string[] {
  const headings = matches(withoutFences(read(page)), /^#+ (.+)$/gm);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('the documents cite files, folders and decisions that exist', () => {
  const dead = DOCUMENTS.flatMap((path) => findDead(withoutFences(read(path))).map((word) => `${path}: ${word}`));
  expect(dead.join('\n')).toBe('');
});

test('comments cite files, documents and decisions that exist', () => {
  const dead = SOURCES.flatMap((path) => {
    const comments = matches(read(path), /(\/\*.*?\*\/|(?<=^|\s)(?:\/\/|#) [^\n]*)/gs);
    return findDead(comments.join('\n')).map((word) => `${path}: ${word}`);
  });
  expect(dead.join('\n')).toBe('');
});

test('links between documents lead to existing files and headings', () => {
  const dead = DOCUMENTS.flatMap((page) =>
    matches(withoutFences(read(page)), /\]\((?!https?:)([^)\s]+)\)/g)
      .filter((link) => {
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? page : normalize(join(dirname(page), file));
        return !PATHS.has(target) || (anchor !== undefined && !listAnchors(target).includes(anchor));
      })
      .map((link) => `${page}: ${link}`),
  );
  expect(dead.join('\n')).toBe('');
});

/** Matches the pages for people who operate or develop the station, and the index itself. */
const NOT_FOR_PROGRAMS =
  /^docs\/(?:architecture|boards|gallery|help|integrating|logs|open-display|open-epaper-link|operating|releasing|screens|security|testing|turbo-protocol|wled)\.md$/;

test('the index for programs links to each page for programs', () => {
  const index = read('docs/integrating.md');
  const pages = DOCUMENTS.filter((path) => /^docs\/[\w-]+\.md$/.test(path) && !NOT_FOR_PROGRAMS.test(path));
  expect(pages.filter((path) => !index.includes(`](${basename(path)})`))).toEqual([]);
});

test('the index of decisions has a row for each page, and each page follows the template', () => {
  const index = read('docs/decisions/README.md');
  const pages = [...PATHS].filter((path) => /^docs\/decisions\/\d{4}-/.test(path));
  expect(new Set(pages.map((path) => path.slice(15, 19))).size).toBe(pages.length);
  for (const path of pages) {
    expect(index).toContain(`(${basename(path)})`);
    const headings = matches(read(path), /^(#.*|Date: .*)$/gm).map((line) => line.replaceAll(/[\d-]{10}/g, 'day'));
    expect(headings, path).toEqual([
      expect.stringMatching(`^# ${path.slice(15, 19)} [A-Z]`),
      expect.stringMatching(/^Date: day(?:, day)*$/),
      '## Context',
      '## Choice',
      '## Consequence',
    ]);
  }
});

test('the diagrams of the architecture show the imports in the code', () => {
  const page = read('docs/architecture.md');
  expect(page, 'Run node tools/architecture.ts').toBe(drawnIn(page));
  expect(page).toMatch(/services -->\|\d+\| domain/);
});
