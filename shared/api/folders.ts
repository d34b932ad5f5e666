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
    'Folder from which CSV, .xlsx, JSON and XML files of orders are imported, and files of articles and locations from its subfolders articles and locations, if they exist. Each file is then moved to done or failed. An absolute path on the machine of the station. Empty for none.',
  ),
  outbox_folder: folderPath.describe(
    'Folder for a file about each order that is fulfilled or aborted. An absolute path on the machine of the station. Empty for none.',
  ),
  orders_sheet_url: sheetUrl.describe(
    'Address of a CSV file of orders, such as a published sheet. The station reads it every minute. https:// only, except on this machine. Empty for none.',
  ),
  file_encoding: textUpTo(40)
    .refine(isEncoding, 'No such encoding. Give a name such as windows-1252 or windows-1250.')
    .nullable()
    .describe(
      'Encoding of files that are not Unicode, such as windows-1252 (western Europe) or windows-1250 (Poland, Czechia, Hungary). If null, such a file is refused unless its import names an encoding.',
    ),
  time_zone: textUpTo(60)
    .refine(isTimeZone, 'No such time zone. Give an IANA name such as Europe/Berlin or America/New_York.')
    .nullable()
    .describe(
      "Time zone of the shop: days and times on the page, on the wall screen, in reports and in e-mails, orders due the same day, and due times without a zone in files. An IANA name such as Europe/Berlin. If null, the zone of the station's machine.",
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
const problem = textOrNull.describe('Why it fails, as a sentence; null if it works.');

const lastFileSchema = z.object({
  name: z.string().describe('Name of the file, including the subfolder, such as articles/new.csv.'),
  at: timestamp,
  outcome: oneOf(['done', 'failed']).describe('Subfolder to which the file was moved.'),
  kind: oneOf(TABLE_KINDS).describe(
    'Content of the file: orders, or the kind that its subfolder of the inbox is named after.',
  ),
  orders: z.int().describe('Number of orders created from the file.'),
  problem: textOrNull.describe('Why the import failed, as a sentence; null if it succeeded.'),
});

export const foldersStatusSchema = named('FoldersStatus', {
  inbox: z.object({
    state,
    problem,
    last: lastFileSchema.nullable().describe('The last file since the station started; null if none.'),
  }),
  outbox: z.object({
    state,
    problem,
    waiting: z.int().describe('Number of orders whose file is not written yet.'),
    last: z
      .object({ name: z.string(), at: timestamp })
      .nullable()
      .describe('The last file since the station started; null if none.'),
  }),
  sheet: z.object({
    state,
    problem,
    last_read: timestampOrNull.describe('When the sheet was last read since the station started; null if not yet.'),
    orders: z.int().describe('Number of orders created from the sheet since the station started.'),
    refused: textOrNull.describe(
      'Rows that were left out at the last change of the sheet, and why, as text; null if none.',
    ),
  }),
});
export type FoldersStatus = z.infer<typeof foldersStatusSchema>;
