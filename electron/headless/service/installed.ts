import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { StationError } from '../../server/errors.ts';
import type { ServiceKind } from './plan.ts';

const OURS = 'Made by Pickstation';
const BYTE_ORDER_MARK = '\uFEFF';

/** An installed service. */
export type InstalledService = {
  /** Undefined: the system knows the service, but its file is missing. */
  text: string | undefined;
  isOfData: boolean;
};

/** Finds the service from an earlier installation. Undefined: none. Throws `conflict` if somebody else created it. */
export function findInstalled(kind: ServiceKind): InstalledService | undefined {
  const text = readOwn(kind);
  const known = kind.registered === undefined ? text : kind.registered.read();
  return known === undefined ? undefined : { text, isOfData: kind.isOfData(known) };
}

/** Returns the location of the service, for messages. */
export function placeOf({ file, registered }: ServiceKind): string {
  return registered?.place ?? file;
}

/** Writes the file and registers it with the system, or restores the previous state. Returns what else the user should do, as sentences. */
export function apply(kind: ServiceKind, before: InstalledService | undefined): string[] {
  try {
    write(kind, kind.text);
  } catch (error) {
    const rest = before === undefined ? 'not installed, and nothing is left of it' : 'not changed';
    throw new StationError('invalid', `The service was ${rest}. ${messageOf(error)}`);
  }
  try {
    return kind.enable();
  } catch (error) {
    const end = before === undefined ? takeBack(kind) : restore(kind, before);
    throw new StationError('invalid', `${end} ${messageOf(error)}`);
  }
}

/** Removes the service. If the system does not remove it, keeps the file and throws. */
export function removeInstalled(kind: ServiceKind): void {
  try {
    kind.disable();
  } catch (error) {
    throw new StationError('invalid', `The service was not removed, and ${placeOf(kind)} stays. ${messageOf(error)}`);
  }
  rmSync(kind.file, { force: true });
  kind.forget();
}

/** Reverts an installation. Returns what is left of it, as a sentence. */
function takeBack(kind: ServiceKind): string {
  try {
    const known = kind.registered?.read();
    if (known === undefined || kind.isOfData(known)) kind.disable();
  } catch (error) {
    return `The service was installed in part only: ${placeOf(kind)} is left, because it could not be taken back. ${messageOf(error)}`;
  }
  rmSync(kind.file, { force: true });
  kind.forget();
  return 'The service was not installed, and nothing is left of it.';
}

/** Restores the previous service. Returns its state, as a sentence. */
function restore(kind: ServiceKind, { text }: InstalledService): string {
  if (text === undefined) return 'The service was changed in part only, because its file from before was missing.';
  try {
    write(kind, text);
  } catch (error) {
    return `The service was changed, and ${kind.file} could not be restored (${messageOf(error)}).`;
  }
  try {
    kind.enable();
    return 'The service was not changed: the one from before was started again.';
  } catch {
    const state = kind.isRunning() ? 'and it runs' : 'but it does not run, and could not be started again';
    return `The service was not changed: its file is as before, ${state}.`;
  }
}

/** Reads the file of an earlier installation. Throws if somebody else wrote it. */
function readOwn({ file, encoding }: ServiceKind): string | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, encoding ?? 'utf8').replace(BYTE_ORDER_MARK, '');
  if (text.includes(OURS)) return text;
  throw new StationError('conflict', `${file} was not made by Pickstation, and was left as it is. Move it away first.`);
}

/** Writes the whole file, or keeps the previous one. */
function write({ file, encoding }: ServiceKind, text: string): void {
  const begun = `${file}.new`;
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(begun, encoding === undefined ? text : BYTE_ORDER_MARK + text, encoding ?? 'utf8');
    renameSync(begun, file);
  } catch (error) {
    rmSync(begun, { force: true });
    throw error;
  }
}

function messageOf(error: unknown): string {
  return (error as Error).message;
}
