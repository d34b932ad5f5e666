import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

/** Expressions to avoid in the user interface, and what to say instead. docs/glossary.md has the product's terms. */
const WORDS: readonly { not: RegExp; say: string }[] = [
  { not: /\bsilent\b(?! firmware)|\bnot (?:heard(?! yet)|reached)\b/i, say: 'offline' },
  { not: /\b(?:is|are) tried again\b/i, say: 'retrying' },
  { not: /\b(?:goes?|went|going) on\b/i, say: 'continue, keep working' },
  { not: /\bput back\b/i, say: 'restore' },
  { not: /\blook at it\b/i, say: 'preview' },
  { not: /\b(?:its|his) turn comes\b/i, say: 'upcoming' },
  { not: /\b(?:is|are) over\b(?! \d)/i, say: 'resolved, ended' },
  { not: /\bmend(?:ed|s|ing)?\b/i, say: 'fix' },
  { not: /\b(?:is|are|was|were) told\b/i, say: 'is sent, receives' },
  { not: /\bnobody takes\b/i, say: 'connection refused' },
  { not: /\bfrom when on\b/i, say: 'when' },
  { not: /\btake batteries along\b/i, say: 'batteries to change' },
  { not: /\bread along\b|\bread .* along\b/i, say: 'intercepted' },
  { not: /\bwhoever\b|\bof whatever\b|\bfor who\b/i, say: 'name the person or thing' },
  { not: /\bstands?\b/i, say: 'is' },
  { not: /\bas it is\b/i, say: 'unchanged' },
  { not: /\b(?:is|are) there already\b/i, say: 'exists' },
  { not: /\bknown no more\b/i, say: 'was removed' },
  { not: /\blets itself\b/i, say: 'can be' },
  { not: /\banew\b/i, say: 'again, restart' },
  { not: /\btak(?:e|en|ing) (?:it |the \w+ )?away\b/i, say: 'remove' },
  { not: /\btak(?:e|en|ing) (?:it )?back\b|\bbrings? (?:it )?back\b/i, say: 'undo, return' },
  { not: /\bit cannot be undone\b/i, say: 'You cannot undo this' },
  { not: /\bhalt(?:s|ed)?\b/i, say: 'stalled' },
  { not: /\bgiven up\b|\b(?:on the|under) way again\b/i, say: 'failed, sending again' },
  { not: /\bcould not be read\b/i, say: 'could not be loaded' },
  { not: /\bAsking the station\b|\bone moment\b/i, say: 'Loading…' },
  { not: /\bmay (?:look|send|do|join|ask|use|sign|not)\b/i, say: 'can, is allowed to' },
  { not: /\balone\b/i, say: 'only' },
  { not: /\bof (?:its|your|his) own\b/i, say: 'its own, your own' },
  { not: /\bchoose (?:none|every)\b/i, say: 'Clear selection, Select all' },
  { not: /\bthe newest first\b/i, say: 'newest first' },
  { not: /\blook for\b/i, say: 'search for' },
  { not: /\bone a line\b|\ban hour\b/i, say: 'one per line, per hour' },
];

/** The page's text files. Their comments are not checked. */
const TEXTS = globSync('renderer/src/ui/texts/*.ts', { cwd: ROOT });

function faultsOf(line: string): string[] {
  const strings =
    line.replaceAll(/\$\{[\w.()]+\}/g, '…').match(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"/g) ?? [];
  return strings.flatMap((text) =>
    WORDS.filter(({ not }) => not.test(text)).map(({ not, say }) => `${text}: say "${say}" for ${not.exec(text)?.[0]}`),
  );
}

test.each(TEXTS)('%s uses the words of the product', (path) => {
  const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
  const said = lines.filter((line) => !/^\s*(?:\/\*\*|\*|\/\/)/.test(line));
  expect(said.flatMap(faultsOf)).toEqual([]);
});

test('the list finds the expressions that it names', () => {
  expect(faultsOf("  over: 'The alert is over',")).toEqual([`'The alert is over': say "resolved, ended" for is over`]);
  expect(faultsOf("  size: 'The file is over 8 MB',")).toEqual([]);
  expect(TEXTS.length).toBeGreaterThan(20);
});

/** UTF-8 that was decoded as Latin-1 or Windows-1252, and the replacement character. */
const BROKEN = /\u00e2[\u0080-\u00bf\u20ac]|[\u00c2\u00c3][\u0080-\u00bf]|\u00f0\u0178|\ufffd/;
const SOURCES = globSync('{renderer/src,shared,electron}/**/*.{ts,tsx,css,html,mjs,json}', { cwd: ROOT });

function brokenLines(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) => (BROKEN.test(line) ? `${index + 1}: ${line.trim().slice(0, 80)}` : []));
}

test('no source contains a letter broken by a wrong encoding', () => {
  const broken = SOURCES.flatMap((path) =>
    brokenLines(readFileSync(join(ROOT, path), 'utf8')).map((line) => `${path}:${line}`),
  );
  expect(broken).toEqual([]);
  expect(SOURCES.length).toBeGreaterThan(400);
});

test('finds a broken letter, and accepts a correct one', () => {
  const good = 'Don’t press “A-1” – 3 × 5 µm, Größe, São Tomé, Âge, naïve …';
  const broken = Buffer.from(good, 'utf8').toString('latin1');
  expect(brokenLines(good)).toEqual([]);
  expect(brokenLines(`first\n${broken}`)).toEqual([expect.stringMatching(/^2: /)]);
  for (const letters of ['\u00e2\u20ac\u2122', '\u00c3\u00bc', '\u00c2\u00b7', '\ufffd'])
    expect(brokenLines(letters)).toHaveLength(1);
});
