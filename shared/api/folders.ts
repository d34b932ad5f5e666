import { z } from 'zod';
import { isTimeZone } from '../lib/text/locale.ts';
import { TABLE_KINDS } from '../lib/tables/fields.ts';
import { sheetUrl } from './addressFields.ts';
import { named, oneOf, textOrNull, textUpTo, timestamp, timestampOrNull } from './fields.ts';

/** Absolute paths of Unix, of Windows drives and of Windows shares. */
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/]|\\\\[^\\/]+[\\/][^\\/]+)/;

const folderPath = textUpTo(1_000)
  .refine((text) => text === '' || ABSOLUTE.test(text), 'Write the whole path, such as /srv/orders or C:\\Orders.')
  .refine((text) => !/\p{Cc}/u.test(text), 'A path has no control characters.');

/** Settings for folders and the published sheet. `shared/api/settings.ts` includes them. */
export const folderSettings = {
  inbox_folder: folderPath.describe(
    'Folder from which CSV, .xlsx, JSON and XML files of orders are imported, and files of articles and locations from its subfolders articles and locations, if they exist. Each is then moved to done or failed. An absolute path on the machine of the station. Empty: none.',
  ),
  outbox_folder: folderPath.describe(
    'Folder that gets a file for each order that is fulfilled or aborted. An absolute path on the machine of the station. Empty: none.',
  ),
  orders_sheet_url: sheetUrl.describe(
    'Address of a CSV file of orders, such as a published sheet. It is read every minute. https:// only, except on this machine. Empty: none.',
  ),
  file_encoding: textUpTo(40)
    .refine(isEncoding, 'No such encoding. Give a name such as windows-1252 or windows-1250.')
    .nullable()
    .describe(
      'Encoding of files that are not Unicode, such as windows-1252 (western Europe) or windows-1250 (Poland, Czechia, Hungary). null: such a file is refused unless its import names one.',
    ),
  time_zone: textUpTo(60)
    .refine(isTimeZone, 'No such time zone. Give an IANA name such as Europe/Berlin or America/New_York.')
    .nullable()
    .describe(
      "Time zone of due times without a zone in files: an IANA name such as Europe/Berlin. null: the zone of the station's machine.",
    ),
};

/** Whether TextDecoder supports a label. */
function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

export const DEFAULT_FOLDER_SETTINGS = {
  inbox_folder: '',
  outbox_folder: '',
  orders_sheet_url: '',
  file_encoding: null,
  time_zone: null,
};

const state = oneOf(['off', 'watching', 'failing']).describe('failing: `problem` says why.');
const problem = textOrNull.describe('Why it fails, as a sentence; null: it works.');

const lastFileSchema = z.object({
  name: z.string().describe('With the subfolder, such as articles/new.csv.'),
  at: timestamp,
  outcome: oneOf(['done', 'failed']).describe('The subfolder that has the file now.'),
  kind: oneOf(TABLE_KINDS).describe('What the file has: orders, or what its subfolder of the inbox is named after.'),
  orders: z.int().describe('Number of orders that it created.'),
  problem: textOrNull.describe('Why it failed, as a sentence; null: it did not.'),
});

export const foldersStatusSchema = named('FoldersStatus', {
  inbox: z.object({
    state,
    problem,
    last: lastFileSchema.nullable().describe('The last file since the station started; null: none.'),
  }),
  outbox: z.object({
    state,
    problem,
    waiting: z.int().describe('Number of orders whose file is not written yet.'),
    last: z
      .object({ name: z.string(), at: timestamp })
      .nullable()
      .describe('The last file since the station started; null: none.'),
  }),
  sheet: z.object({
    state,
    problem,
    last_read: timestampOrNull.describe('When the sheet was last read since the station started; null: not yet.'),
    orders: z.int().describe('Number of orders that it created since the station started.'),
    refused: textOrNull.describe(
      'Rows that were left out at the last change of the sheet, and why, as text; null: none.',
    ),
  }),
});
export type FoldersStatus = z.infer<typeof foldersStatusSchema>;
