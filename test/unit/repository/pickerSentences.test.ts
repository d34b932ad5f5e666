import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apiWordsIn } from '../../helpers/pickerWords.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** Code whose sentences Pick, carts, walls, kiosks and the pack page can show. */
const FILES = globSync(
  [
    'electron/server/services/{picking/*,batches/!(carriers|stalls),orders/{byHand,holds,itemChanges,items,launch,pickers,reading},base/outdated,access/{kiosks,pins,personSignIn}}.ts',
    // Refusals of all changes: the station is stopping, the disk is full, or the data folder is gone.
    'electron/server/{db/writerErrors,http/router,scheduling/stepQueue,services/folderWatch}.ts',
  ],
  { cwd: ROOT },
);

/** Sentences that only programs can cause: a page sends what they ask for. */
const OF_PROGRAMS: readonly RegExp[] = [
  /^Send (?:the id of the|slot or all)/,
  /^all puts the whole hand/,
  /Send picker/,
  /^A batch of mode cart takes only a cart/,
  /Send (?:one act for each place|one line for each item|all items of the light)/,
  /^Send item_id/,
  /^quantity_fulfilled: /,
  // The address of a batch that was deleted, and of a kiosk.
  /^There is no batch /,
  /picker has to name one/,
];

/** Returns the sentences in the literals of a source, with `X` for each value. */
function sentencesIn(source: string): string[] {
  const lines = source.split('\n').filter((line) => !/^\s*(?:\/\*\*|\*|\/\/)|\b(?:import|describe|log)\b/.test(line));
  return (lines.join('\n').match(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g) ?? [])
    .map((literal) =>
      literal
        .slice(1, -1)
        .replaceAll(/\$\{[^}]*\}/g, 'X')
        .replaceAll('\\`', '`'),
    )
    .filter((text) => /^[A-Z][^_]*? .*[.!?:]$/s.test(text));
}

test('sentences that pickers can see have no words of the API', () => {
  expect(FILES.length).toBeGreaterThan(30);
  const found = FILES.flatMap((path) =>
    sentencesIn(readFileSync(join(ROOT, path), 'utf8'))
      .filter((text) => !OF_PROGRAMS.some((of) => of.test(text)))
      .flatMap((text) => {
        // A sentence that only programs need follows another one.
        const word = apiWordsIn(`It failed. ${text}`);
        return word === undefined ? [] : [`${path}: ${text}: ${word}`];
      }),
  );
  expect(found).toEqual([]);
});

test('finds words of the API in a sentence, but not in one that only programs get', () => {
  expect(sentencesIn("throw new StationError('conflict', `Batch ${id} is done.`);")).toEqual(['Batch X is done.']);
  expect(apiWordsIn('Batch 7 is done.')).toBe('Batch');
  expect(apiWordsIn('Order 10418 is lit. POST .../join/ shares it.')).toBeUndefined();
  expect(apiWordsIn('Put 3 into A2.')).toBeUndefined();
});
