import { z } from 'zod';
import { named, oneOf, textOrNull, timestamp, timestampOrNull } from './fields.ts';

export const UPDATE_MODES = ['auto', 'notify', 'off'] as const;
export type UpdateMode = (typeof UPDATE_MODES)[number];

/** What this program can do about newer versions of itself. */
const UPDATE_POWERS = ['install', 'check', 'nothing'] as const;

const UPDATE_STATES = ['none', 'checking', 'available', 'downloading', 'ready', 'installing'] as const;
export type UpdateState = (typeof UPDATE_STATES)[number];

const failedUpdateSchema = z.object({
  version: z.string(),
  at: timestamp,
  problem: z.string().describe('Why the version failed, as a sentence.'),
});

export const updateStatusSchema = named('UpdateStatus', {
  version: z.string().describe('The running version.'),
  can: oneOf(UPDATE_POWERS).describe(
    'install: the program can install updates. check: it can only check for a newer version. nothing: it cannot check either.',
  ),
  reason: z.string().describe('Why the program cannot install updates, as a sentence; empty if it can.'),
  mode: oneOf(UPDATE_MODES).describe(
    'What happens automatically: the setting `updates`, unless a policy overrides it.',
  ),
  policy: oneOf(UPDATE_MODES)
    .nullable()
    .describe('Mode that the administrator of this machine enforces, regardless of the setting; null if none.'),
  state: oneOf(UPDATE_STATES).describe(
    'ready: downloaded and verified; will be installed on request or while nobody works.',
  ),
  found: textOrNull.describe('The newer version; null until one is found.'),
  percent: z.int().min(0).max(100).nullable().describe('Progress of the download in percent; null if there is none.'),
  checked_at: timestampOrNull.describe('When the last check succeeded.'),
  problem: textOrNull.describe(
    'Why the last check, download or installation failed, as a sentence; null if it succeeded.',
  ),
  notice: textOrNull.describe(
    'A warning, as a sentence, that somebody may be withholding updates, if no update list signed in the last 180 days was found. Otherwise null.',
  ),
  failed: failedUpdateSchema
    .nullable()
    .describe(
      'The last installed version that never became ready on this machine; null if none. The previous version and its data were restored.',
    ),
});
export type UpdateStatus = z.infer<typeof updateStatusSchema>;

export const installUpdateSchema = z
  .object({
    insist: z
      .boolean()
      .default(false)
      .describe(
        'true installs the update even while devices are lit or callbacks are pending. Devices stay lit, and callbacks are sent afterwards.',
      ),
  })
  .meta({ id: 'InstallUpdate' });
