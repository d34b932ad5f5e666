import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { StationError } from '../../server/errors.ts';
import type { ServiceKind } from './plan.ts';

const OURS = 'Made by Pickstation';
const BYTE_ORDER_MARK = '\uFEFF';

/** An installed service. */
export type InstalledService = {
  /** Content of the service's file, or undefined if the system knows the service but its file is missing. */
  text: string | undefined;
  isOfData: boolean;
};

/**
 * Finds the service from an earlier installation. Returns undefined if there is none. Throws `conflict` if it was not created by
 * Pickstation.
 */
export function findInstalled(kind: ServiceKind): InstalledService | undefined {
  const text = readOwn(kind);
  const known = kind.registered === undefined ? text : kind.registered.read();
  return known === undefined ? undefined : { text, isOfData: kind.isOfData(known) };
}

/** Returns the location of the service, for messages. */
export function placeOf({ file, registered }: ServiceKind): string {
  return registered?.place ?? file;
}

/** Writes the file and registers it with the system, or restores the previous state. Returns further steps for the user, as sentences. */
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

/** Removes the service. If the system refuses, keeps the file and throws. */
export function removeInstalled(kind: ServiceKind): void {
  try {
    kind.disable();
  } catch (error) {
    throw new StationError('invalid', `The service was not removed, and ${placeOf(kind)} stays. ${messageOf(error)}`);
  }
  rmSync(kind.file, { force: true });
  kind.forget();
}

/** Reverts an installation. Returns a sentence about what remains of it. */
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

/** Restores the previous service. Returns a sentence about its state. */
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

/** Reads the file of an earlier installation. Throws if it was not written by Pickstation. */
function readOwn({ file, encoding }: ServiceKind): string | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, encoding ?? 'utf8').replace(BYTE_ORDER_MARK, '');
  if (text.includes(OURS)) return text;
  throw new StationError('conflict', `${file} was not made by Pickstation, and was left as it is. Move it away first.`);
}

/** Writes the file completely, or keeps the previous one. */
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
