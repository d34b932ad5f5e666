import { spawnSync } from 'node:child_process';
import { describe, expect, test, type TestContext } from 'vitest';
import { isRun, listPages, listSnippets, type Snippet } from '../helpers/snippets.ts';
import { checkAnswer, sendBody, sendLines } from './snippets/bodies.ts';
import { visit, type Visit } from './snippets/visit.ts';

const LIMIT = { timeout: 600_000 };

const PAGES = listPages()
  .map((page) => ({ page, snippets: listSnippets(page).filter(isRun) }))
  .filter(({ snippets }) => snippets.length > 0);

/** Skips the test if a program is missing on a developer's machine. In CI, a missing program is an error. */
function requirePrograms(context: TestContext, snippets: readonly Snippet[]): void {
  const code = snippets.map((each) => `${each.language} ${each.code}`).join('\n');
  for (const [word, program] of [
    ['curl', 'curl'],
    ['jq', 'jq'],
    ['py', 'python3'],
  ] as const) {
    if (!new RegExp(`\\b${word}\\b`).test(code) || spawnSync(program, ['--version']).error === undefined) continue;
    if (process.env['CI'] === 'true') throw new Error(`There is no ${program} on this machine.`);
    context.skip(`There is no ${program} on this machine.`);
  }
}

async function follow(reader: Visit, snippet: Snippet): Promise<void> {
  const { mark, language, code } = snippet;
  switch (mark?.kind) {
    case 'keeps running':
      return reader.keepRunning(snippet);
    case 'printed by':
      return reader.waitForPrinted(mark.value, code.trim());
    case 'request':
      return sendBody(reader, snippet);
    case 'answer':
    case 'callback':
      return checkAnswer(snippet);
    default:
      return language === 'http' ? sendLines(reader, snippet) : reader.runProgram(snippet);
  }
}

describe.each(PAGES)('$page', ({ snippets }) => {
  test('every code block runs as the page says', LIMIT, async (context) => {
    requirePrograms(context, snippets);
    const startsStation = snippets.some(({ mark, code }) => mark?.kind === 'keeps running' && code.includes('npm '));
    const reader = await visit({ startsStation });
    try {
      for (const snippet of snippets) {
        await follow(reader, snippet).catch((error: unknown) => {
          throw new Error(`${snippet.page}:${snippet.line}\n${String(error)}`, { cause: error });
        });
      }
    } finally {
      await reader.end();
    }
  });
});

test('more than five pages have blocks to run', () => {
  expect(PAGES.length).toBeGreaterThan(5);
});
