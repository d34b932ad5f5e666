import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestStation } from '../helpers/startTestStation.ts';
import { breakingChanges } from './breakingChanges.ts';
import { fetchDocument, type OpenApi } from './documents.ts';

const FROZEN = join(import.meta.dirname, '..', '..', 'resources', 'openapi', 'whole.json');

/** `1` writes what was added into the frozen contract, `breaking` whatever it is. resources/openapi/README.md says when. */
const freeze = process.env['PICKSTATION_FREEZE'];

async function documentOfNow(): Promise<OpenApi> {
  const station = await startTestStation();
  try {
    return await fetchDocument(station, '/api/openapi.json');
  } finally {
    await station.stop();
  }
}

/** Without what changes with every release. */
function contract(document: OpenApi): object {
  return { ...document, info: undefined };
}

test('nothing that callers rely on has gone or changed, and what is new is in the frozen contract', async () => {
  const now = await documentOfNow();
  const frozen = freeze === 'breaking' ? now : (JSON.parse(readFileSync(FROZEN, 'utf8')) as OpenApi);
  expect(breakingChanges(frozen, now)).toEqual([]);
  if (freeze !== undefined) writeFileSync(FROZEN, `${JSON.stringify(now, undefined, 2)}\n`);
  else
    expect(contract(now), 'The contract has grown: resources/openapi/README.md says what to do').toEqual(
      contract(frozen),
    );
});
