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
  problem: z.string().describe('As a sentence.'),
});

export const updateStatusSchema = named('UpdateStatus', {
  version: z.string().describe('The version that runs.'),
  can: oneOf(UPDATE_POWERS).describe(
    'install: this program can replace itself; check: it can only find out whether there is a newer version; nothing: not even that.',
  ),
  reason: z.string().describe('Why it cannot install, as a sentence; empty: it can.'),
  mode: oneOf(UPDATE_MODES).describe('What happens by itself: the setting `updates`, unless a policy says otherwise.'),
  policy: oneOf(UPDATE_MODES)
    .nullable()
    .describe('What the administrator of this machine fixed, whatever the setting says; null: nothing.'),
  state: oneOf(UPDATE_STATES).describe(
    'ready: downloaded and checked, and installed on request or while nobody works.',
  ),
  found: textOrNull.describe('The newer version, once it was found.'),
  percent: z.int().min(0).max(100).nullable().describe('Of the download in progress.'),
  checked_at: timestampOrNull.describe('When the last check succeeded.'),
  problem: textOrNull.describe('Why the last check, download or installation failed, as a sentence; null: it did not.'),
  notice: textOrNull.describe(
    'A warning, as a sentence, that somebody may be holding updates back: set if no update list signed in the last 180 days was found. Otherwise null.',
  ),
  failed: failedUpdateSchema
    .nullable()
    .describe(
      'The last version that never became ready on this machine; the previous version and its data were restored.',
    ),
});
export type UpdateStatus = z.infer<typeof updateStatusSchema>;

export const installUpdateSchema = z
  .object({
    insist: z
      .boolean()
      .default(false)
      .describe('true: also while devices are lit or callbacks are still to be sent. They stay so.'),
  })
  .meta({ id: 'InstallUpdate' });
