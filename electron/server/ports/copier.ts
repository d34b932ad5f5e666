import type { BackupContents } from '#shared/api/backup.ts';
import type { NewOrder } from '#shared/api/order.ts';
import type { AccountName } from '#shared/lib/access/accountKinds.ts';
import type { TableFile } from '#shared/lib/tables/table.ts';

/** Progress of a copy, in bytes. */
export type CopyProgress = { step: 'copying' | 'checking'; doneBytes: number; totalBytes: number };

/** Contents of a backup, and who requested it. */
export type FoundInBackup = Omit<BackupContents, 'name' | 'secrets' | 'returning' | 'opens'> & {
  by: string;
  /** Its people, keys, kiosks and screens. */
  accounts: AccountName[];
  /** What lets others in, or names a folder or address. Values can contain secrets. */
  doors: { name: string; value: string }[];
  /** `keyId` is empty if the secret is not encrypted, or is damaged. */
  secrets: { name: string; keyId: string }[];
  /** Id of the data key that the backup contains, encrypted with a passphrase. */
  wrappedKeyId: string | undefined;
};

/** A picture of an article as WebP, and a small one for lists. */
export type StoredPicture = { content: Uint8Array; small: Uint8Array };

/** An order from a JSON or XML document, parsed like a request. `problem` is the reason why the order is refused. */
export type DocumentOrder =
  | { number: string; wanted: NewOrder; problem?: undefined }
  | { number: string; problem: string };

/**
 * Copies and checks databases, converts pictures, and reads files with orders, articles and places, in side processes. Rejects with a
 * StationError: `invalid` if a file can never be restored or read, or takes too long, `storage` if the disk fails, `conflict` (`stopping` for
 * checks, restores, pictures and files that are read) if aborted by `signal`, `internal` if the process died or, for a file that is read,
 * could not be started. When a call rejects, the process no longer writes, and the caller removes partial files.
 */
export type Copier = {
  /** Copies the live database, while the station is writing to it, to a single file that records who requested it. */
  copy(
    job: { from: string; to: string; by: string; at: number },
    onProgress: (progress: CopyProgress) => void,
    signal: AbortSignal,
  ): Promise<FoundInBackup>;
  /** Checks an uploaded file. */
  receive(file: string, onProgress: (progress: CopyProgress) => void, signal: AbortSignal): Promise<FoundInBackup>;
  check(file: string, signal: AbortSignal): Promise<FoundInBackup>;
  /** Checks a file and writes its rows into a new database `to`, ready to be restored. */
  rewrite(file: string, to: string, signal: AbortSignal): Promise<FoundInBackup>;
  /** Converts an untrusted picture. Also rejects with `unsupported_media_type`. */
  convertPicture(bytes: Buffer, signal: AbortSignal): Promise<StoredPicture>;
  /** Reads a CSV file or a workbook. `encoding` is a label for TextDecoder. */
  readTable(bytes: Uint8Array, encoding: string | null, signal: AbortSignal): Promise<TableFile>;
  /** Reads a document with one order or a list of orders. */
  readDocument(bytes: Uint8Array, format: 'json' | 'xml', signal: AbortSignal): Promise<DocumentOrder[]>;
};
