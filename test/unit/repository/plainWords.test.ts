import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Expressions to avoid in the user interface, with replacements. docs/glossary.md lists the product's terms. */
const WORDS: readonly { not: RegExp; say: string }[] = [
  { not: /\bsilent\b(?! firmware)|\bnot (?:heard(?! yet)|reached)\b/i, say: 'offline' },
  { not: /\b(?:is|are) tried again\b/i, say: 'retrying' },
  { not: /\b(?:goes?|went|going) on\b/i, say: 'continue, keep working' },
  { not: /\bput back\b(?! what you took)/i, say: 'restore' },
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
const TEXTS = globSync('renderer/src/words/*.ts', { cwd: ROOT });

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

/** Matches UTF-8 that was decoded as Latin-1 or Windows-1252, and the replacement character. */
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

/** Expressions to avoid in comments, test titles and documents; a better one; and an example that must be found. */
const PATTERNS: readonly { not: RegExp; say: string; example: string }[] = [
  {
    not: /(?<!\bthere )\b(?:is|are|was|were) no\b(?! (?:more|less|longer|later|earlier)\b)/i,
    say: 'is not a',
    example: 'A place is no device.',
  },
  {
    not: /\bthere (?:is|are|was|were) no\b[^.;:]*\bthat\b/i,
    say: 'No X does Y',
    example: 'There is no turbo that has it.',
  },
  {
    not: /\bwhoever\b|\bwhatever\b|\bwhichever\b|(?<!^|[.;] )\bhowever\b(?!,)/i,
    say: 'name the person or thing',
    example: 'It stays, however often it is sent.',
  },
  {
    not: /\bstands?\b(?!-in|ard| (?:for|in|out|by)\b)|\bstood\b/i,
    say: 'is, appears, is stored',
    example: 'where it stands',
  },
  {
    not: /\bof (?:its|their|his|her|your|my|our|one's) own\b/i,
    say: 'its own X, separate',
    example: 'a key of its own',
  },
  {
    not: /\b(?:is|are|was|were|be|been) told\b(?! apart)/i,
    say: 'is notified, learns',
    example: 'The caller is told.',
  },
  { not: /\banew\b/i, say: 'again, from scratch', example: 'It is drawn anew.' },
  { not: /\bfrom before\b/i, say: 'previous, earlier', example: 'rows from before' },
  {
    not: /\b(?:goes?|went|going|gone) on\b(?! (?:the|a|an|its|each|top)\b)/i,
    say: 'continues',
    example: 'The work goes on.',
  },
  {
    not: /\b(?:for|of|to|from|by|with) who\b|\bwho (?:has|have) none\b/i,
    say: 'users who',
    example: 'for who has a key',
  },
  {
    not: /(?:^|[.:;] )(?!Start of )(?:Ask|Draw|Give|Keep|Let|Make|Open|Put|Read|Run|Send|Show|Start|Take|Use|Wait|Write) (?:no|of) /,
    say: 'do not',
    example: 'Open no file.',
  },
  {
    not: /\b(?:test|file|folder|page)s? of (?:its|their|that|this) name\b/i,
    say: 'of the same name',
    example: 'a test of their name',
  },
  { not: /\bwhat \w+(?: \w+){0,3} is what\b/i, say: 'state the rule', example: 'What differs is what matters.' },
  {
    not: /(?<!\b(?:let|leaves?|left|leaving|is|are|was|runs?|works?)\b[^.;:]*)\balone\b(?=[.,;:)]|\s*$)/i,
    say: 'only',
    example: "this system's library alone.",
  },
  { not: /\blets? itself\b/i, say: 'can be', example: 'It lets itself be read.' },
  {
    not: /\bas (?:it|they) (?:is|are|was|were)\b(?=[.,;:)]|\s*$| (?:and|now|here)\b)/i,
    say: 'unchanged',
    example: 'It keeps the list as it is.',
  },
  {
    not: /(?<!\bthere )\b(?:is|are|was|were) there\b(?! (?:a|an|any|is|are|was|were|more)\b)/i,
    say: 'exists',
    example: 'while the order is there',
  },
  { not: /\bmend(?:ed|s|ing)?\b/i, say: 'fix', example: 'mends the row' },
  { not: /\bfrom (?:when|here) on\b/i, say: 'when, above this', example: 'From here on it counts.' },
  {
    not: /\b(?:is|are|was|were) over\b(?=[.,;:)]|\s*$| (?:and|or|when|if|before|once)\b)/i,
    say: 'ended',
    example: 'when the wait is over',
  },
  { not: /\b(?:read|taken?|carry|carried|rides?) along\b/i, say: 'intercept, include', example: 'can be read along' },
  { not: /\b(?:is|are|was|were) tried again\b/i, say: 'is retried', example: 'What failed is tried again.' },
  {
    not: /\b(?:nobody|nothing) (?:takes|waits for)\b/i,
    say: 'say what happens',
    example: 'work that nobody waits for',
  },
  {
    not: /\b(?:colours?|coloured|grey|behaviours?|labelled|cancelling|centred|(?:recogn|initial|normal|serial|organ|author)is(?:e|es|ed|ing))\b/i,
    say: 'the American spelling',
    example: 'the colour of a light',
  },
];

/** Good English that the patterns must accept. */
const GOOD = [
  'The cable is not over 2 m. There is a fan, and there is no column for it. It is no longer lit, no more than 3 s.',
  'The tool runs alone. Leave the others alone; a place alone in its rack is drawn last. Is there a key, or are there more?',
  'It stands for a stand-in, by the standard. They cannot be told apart. However, it keeps running.',
  'Takes no argument. A press goes on the list. Read as it is typed. Users for whom it is meant are over 18.',
];

const COMMENTED = globSync(
  '{bench,electron,packages,renderer/src,resources,shared,test,tools,docs/examples}/**/*.{ts,tsx,mjs,css,py}',
  { cwd: ROOT },
)
  .concat(globSync('*.ts', { cwd: ROOT }))
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/node_modules|^packages\/client\/dist/.test(path));
const DOCUMENTS = globSync('{*.md,docs/*.md,docs/examples/*.md}', { cwd: ROOT });

type Prose = { line: number; text: string };

/** Returns the matches of a pattern with their lines, without comment markers and quoted code. */
function proseIn(text: string, pattern: RegExp): Prose[] {
  return [...text.matchAll(pattern)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    text: (match.groups?.['title'] ?? match[0])
      .replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/|#)?[ \t]*/g, ' ')
      .replaceAll(/^(?:\/\*\*?|\/\/|#|""")\s*|\s*(?:\*\/|""")$/g, '')
      .replaceAll(/`[^`]*`/g, '…'),
  }));
}

const BLOCK_COMMENTS = /(?<=^|[\s{(,])\/\*.*?\*\/|(?<=^|\s)\/\/ [^\n]*(?:\n\s*\/\/ [^\n]*)*/gs;
const PYTHON_COMMENTS = /(?<=^|\s)# [^\n]*(?:\n\s*# [^\n]*)*|""".*?"""/gs;
const TITLES =
  /(?:\b(?:test|it|describe)(?:\.\w+)*|\]\)|\b(?:test|describe)\.\w+\([^\n]*\))\(\s*(?<quote>['`])(?<title>(?:\\.|(?!\k<quote>).)*)\k<quote>/g;

/** Returns the paragraphs, list items and table rows of a document, without fenced blocks. */
function paragraphsOf(document: string): Prose[] {
  const text = document.replaceAll(/^ *```.*?^ *```/gms, (block) => block.replaceAll(/[^\n]/g, ''));
  return proseIn(text, /[^\n](?:[^\n]|\n(?!\s*(?:\n|[-*|#]|\d+\.)))*/g);
}

function proseOf(path: string): Prose[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  if (path.endsWith('.md')) return paragraphsOf(text);
  if (path.endsWith('.py')) return proseIn(text, PYTHON_COMMENTS);
  return [...proseIn(text, BLOCK_COMMENTS), ...(path.startsWith('test/') ? proseIn(text, TITLES) : [])];
}

function patternsIn(text: string): string[] {
  return PATTERNS.flatMap(({ not, say }) => {
    const found = not.exec(text)?.[0];
    return found === undefined ? [] : [`"${found.trim()}": say "${say}"`];
  });
}

test('comments, test titles and documents are in plain English', () => {
  const faults = [...COMMENTED, ...DOCUMENTS].flatMap((path) =>
    proseOf(path).flatMap(({ line, text }) => patternsIn(text).map((fault) => `${path}:${line} ${fault}`)),
  );
  expect(faults.join('\n')).toBe('');
  expect(COMMENTED.length).toBeGreaterThan(1_000);
});

test.each(PATTERNS)('finds "$example"', ({ not, example }) => {
  expect(not.test(example)).toBe(true);
});

test.each(GOOD)('accepts "%s"', (text) => {
  expect(patternsIn(text)).toEqual([]);
});

test('finds comments, titles and paragraphs with their lines', () => {
  expect(proseIn("/** One\n * two. */\nconst a = 'b'; // three\n// four\n", BLOCK_COMMENTS)).toEqual([
    { line: 1, text: 'One two.' },
    { line: 3, text: 'three four' },
  ]);
  expect(proseIn('"""One\ntwo."""\nx = 1  # three `4`\n', PYTHON_COMMENTS)).toEqual([
    { line: 1, text: 'One two.' },
    { line: 3, text: 'three …' },
  ]);
  expect(proseIn("test('one', f);\ntest.each([1])(\n  'two %s',\n  f,\n);\n", TITLES)).toEqual([
    { line: 1, text: 'one' },
    { line: 2, text: 'two %s' },
  ]);
  expect(paragraphsOf('One\ntwo.\n\n- three\n```sh\nfour\n```\n')).toEqual([
    { line: 1, text: 'One two.' },
    { line: 4, text: '- three' },
  ]);
});
