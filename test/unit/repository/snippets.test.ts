import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  findFault,
  findSnippets,
  isListed,
  listPages,
  listSnippets,
  NEEDS,
  NOT_RUN,
  readPage,
  ROOT,
} from '../../helpers/snippets.ts';

const SNIPPETS = listPages().flatMap(listSnippets);

test('every code block that a reader copies is run, checked or listed with a reason', () => {
  const faults = SNIPPETS.flatMap((snippet) => {
    const fault = findFault(snippet);
    return fault === undefined ? [] : [`${snippet.page}:${snippet.line}: ${fault}`];
  });
  expect(faults.join('\n')).toBe('');
  expect(SNIPPETS.length).toBeGreaterThan(20);
});

test('finds every code block of a page', () => {
  for (const page of listPages()) {
    const fences = readPage(page).match(/^ *(?:```|~~~)/gm) ?? [];
    expect({ page, fences: fences.length }).toEqual({ page, fences: 2 * listSnippets(page).length });
  }
});

test('a test that names the page runs the blocks that need more than a station', () => {
  for (const { page, mark } of SNIPPETS) {
    if (mark?.kind !== 'needs') continue;
    expect(readFileSync(join(ROOT, NEEDS[mark.value] ?? ''), 'utf8'), mark.value).toContain(page);
  }
});

test('every block that is listed as not run exists, once on its page', () => {
  for (const entry of NOT_RUN) {
    const snippets = SNIPPETS.filter((each) => isListed(each) && each.page === entry.page);
    expect(snippets.map(({ code }) => code).filter((code) => code.startsWith(entry.starts))).toHaveLength(1);
  }
});

test('reads the mark, the language and the code of a block, without the indent of a list', () => {
  const text =
    'Text\n\n1. One\n\n   <!-- request: POST /api/a/ -->\n\n   ```json\n   {\n     "a": 1\n   }\n   ```\n\n```sh\nls\n```\n';
  expect(findSnippets('page', text)).toEqual([
    {
      page: 'page',
      line: 5,
      language: 'json',
      mark: { kind: 'request', value: 'POST /api/a/' },
      code: '{\n  "a": 1\n}\n',
    },
    { page: 'page', line: 13, language: 'sh', mark: undefined, code: 'ls\n' },
  ]);
});

test.each([
  ['```json\n{}\n```\n', 'json needs a comment before it'],
  ['```\nls\n```\n', 'the language "" is not run'],
  ['```rust\nls\n```\n', 'the language "rust" is not run'],
  ['<!-- needs: the moon -->\n\n```sh\nls\n```\n', 'nothing runs blocks that need the moon'],
  ['<!-- not run -->\n\n```sh\nls\n```\n', 'the mark "not run" means nothing before sh'],
])('finds the error in %j', (text, fault) => {
  const [snippet] = findSnippets('docs/new.md', text);
  expect(snippet && findFault(snippet)).toContain(fault);
});
