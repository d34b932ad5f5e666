import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startTestStation } from '../helpers/startTestStation.ts';
import { breakingChanges, rightChanges } from './breakingChanges.ts';
import { fetchDocument, FROZEN, frozenDocument, type OpenApi } from './documents.ts';

/**
 * How to change the frozen contract: `1` adds new parts, `breaking` replaces it after any change. resources/openapi/README.md explains when
 * to use them.
 */
const freeze = process.env['PICKSTATION_FREEZE'];

async function documentOfNow(): Promise<OpenApi> {
  const station = await startTestStation();
  try {
    return await fetchDocument(station, '/api/openapi.json');
  } finally {
    await station.stop();
  }
}

/** Returns the document without `info`, which changes with every release. */
function contract(document: OpenApi): object {
  return { ...document, info: undefined };
}

test('breaks nothing in the frozen contract, and the frozen contract contains every addition', async () => {
  const now = await documentOfNow();
  const frozen = freeze === 'breaking' ? now : frozenDocument();
  expect(breakingChanges(frozen, now)).toEqual([]);
  expect(
    rightChanges(frozen, now),
    'PICKSTATION_FREEZE=breaking gives other callers an operation, or takes it from them',
  ).toEqual([]);
  if (freeze !== undefined) writeFileSync(FROZEN, `${JSON.stringify(now, undefined, 2)}\n`);
  else
    expect(contract(now), 'The contract has grown: resources/openapi/README.md says what to do').toEqual(
      contract(frozen),
    );
});
