import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UPDATE_MODES, type UpdateMode } from '#shared/api/updates.ts';

const policySchema = z.looseObject({ updates: z.enum(UPDATE_MODES).optional() });

/** Update policy of the machine's administrator. `fault` is a sentence about why the policy cannot be read. */
export type UpdatePolicy = { mode: UpdateMode | undefined; fault: string | undefined };

/** Reads the policy from the machine's policy file or, if there is none, from the environment. */
export function readUpdatePolicy(
  environment: Readonly<Record<string, string | undefined>>,
  file = policyFile(environment),
): UpdatePolicy {
  let source = file;
  try {
    const text = readText(file);
    const given = environment['PICKSTATION_UPDATES'] ?? '';
    if (text === undefined) source = 'PICKSTATION_UPDATES';
    const value: unknown = text === undefined ? (given === '' ? {} : { updates: given }) : JSON.parse(text);
    return { mode: policySchema.parse(value).updates, fault: undefined };
  } catch {
    return {
      mode: undefined,
      fault: `The policy for updates in ${source} cannot be read, so there are none. It says ${UPDATE_MODES.join(', ')}, in the file as {"updates": "off"}.`,
    };
  }
}

/** Returns the path of the policy file, which is written by tools for managing many machines. */
function policyFile(environment: Readonly<Record<string, string | undefined>>): string {
  if (process.platform === 'win32')
    return join(environment['ProgramData'] ?? String.raw`C:\ProgramData`, 'Pickstation', 'policy.json');
  return join(
    process.platform === 'darwin' ? '/Library/Application Support/Pickstation' : '/etc/pickstation',
    'policy.json',
  );
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
