import { StationError } from '../../errors.ts';

const SAVE_AS = 'Open it in a spreadsheet program, save it as .xlsx, and send that file.';

/** Messages for files that the station cannot read. Each says what to do instead. */
const REFUSALS = {
  empty: 'The file is empty. Export it again.',
  tooManyBytes: 'The file has more than 16 MiB. Split it into several files.',
  tooLarge:
    'The workbook is larger than 64 MiB when unpacked. Remove sheets and pictures, or split it into several files.',
  password: 'The file is protected by a password. Remove the password, save it as .xlsx, and send that file.',
  xls: `The file is an .xls workbook, which is not supported. ${SAVE_AS}`,
  xlsb: `The file is an .xlsb workbook, which is not supported. ${SAVE_AS}`,
  xmlSpreadsheet: `The file is an XML spreadsheet, which is not supported. ${SAVE_AS}`,
  xml: 'The file is XML, not a table. Send the table as .xlsx or .csv.',
  ods: `The file is an .ods sheet, which is not supported. ${SAVE_AS}`,
  numbers:
    'The file is a .numbers sheet, which is not supported. Export it from Numbers as Excel (.xlsx), and send that file.',
  zip: 'The file is a ZIP archive without a workbook. Unpack it, and send the .xlsx or .csv file in it.',
  packed: 'The file is compressed. Unpack it, and send the .xlsx or .csv file in it.',
  pdf: 'The file is a PDF. Send the table as .xlsx or .csv.',
  picture: 'The file is a picture. Send the table as .xlsx or .csv.',
  html: 'The file is a web page, not a table. If the address is of a Google sheet, choose File, Share, Publish to web, and "Comma-separated values (.csv)". In Nextcloud, share the .csv or .xlsx file by a link and use its download address. If it was exported, export it as .xlsx or .csv.',
  unreadable: `The file cannot be read, because it is damaged or built in an unusual way. ${SAVE_AS}`,
  noSheet: 'The workbook has no visible sheet. Show the sheet, save the file, and send it again.',
} as const;
export type Refusal = keyof typeof REFUSALS;

export function refused(why: Refusal): StationError {
  return new StationError('invalid', REFUSALS[why]);
}

/** Creates the error for a damaged workbook. `what` describes the damage, as part of a sentence. */
export function damaged(what: string): StationError {
  return new StationError('invalid', `The workbook is damaged or incomplete: ${what}. ${SAVE_AS}`);
}
