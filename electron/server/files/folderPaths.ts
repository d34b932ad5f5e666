import { readdir, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { FieldError } from '#shared/api/problem.ts';
import type { Settings, SettingsChange } from '#shared/api/settings.ts';
import { StationError } from '../errors.ts';
import { identitiesOfPath, idOf } from './openFolder.ts';
import type { OpenFolder } from '../ports.ts';

type FolderPaths = Pick<Settings, 'inbox_folder' | 'outbox_folder'>;

const OWN = 'Choose a folder that is outside the data folder and does not contain it.';
const NESTED = 'The inbox and outbox must be different folders, and neither can be inside the other.';

/**
 * Creates a check that refuses the data folder as inbox or outbox, and an inbox and outbox inside each other. Compares folders by device
 * and inode, because one folder can have several paths through links and bind mounts.
 */
export function createFolderCheck(dataFolder: string, current: () => FolderPaths) {
  /**
   * Identities of folders outside the data folder. Cached, because listing the data folder, which contains the window's profile, is slow.
   */
  const fine = new Set<string>();

  async function isOwn(exists: boolean, identities: readonly string[]): Promise<boolean> {
    const key = identities.join(' ');
    if (fine.has(key)) return false;
    const { identities: own } = await identitiesOfPath(dataFolder);
    const holds = exists && own.includes(identities[0] ?? '');
    const inside = await identitiesBelow(dataFolder);
    if (holds || identities.some((one) => one === own[0] || inside.has(one))) return true;
    fine.add(key);
    return false;
  }

  /** Returns a sentence about what is wrong with a folder, or an empty text if nothing is. */
  async function faultOf(folder: string): Promise<string> {
    if (folder === '') return '';
    if (!isAbsolute(folder)) return 'Enter the full path of a folder on the machine of the station.';
    const { exists, identities } = await identitiesOfPath(folder);
    return arePathsNested(folder, dataFolder) || (await isOwn(exists, identities)) ? OWN : '';
  }

  return {
    /** Throws `invalid` if the new inbox or outbox cannot be used. The folder may be missing. */
    async check({ inbox_folder, outbox_folder }: SettingsChange): Promise<void> {
      if (inbox_folder === undefined && outbox_folder === undefined) return;
      const { inbox_folder: oldInbox, outbox_folder: oldOutbox } = current();
      const inbox = inbox_folder ?? oldInbox;
      const outbox = outbox_folder ?? oldOutbox;
      const errors: FieldError[] = [];
      for (const [path, folder] of [
        ['/inbox_folder', inbox],
        ['/outbox_folder', outbox],
      ] as const) {
        const message = await faultOf(folder);
        if (message !== '') errors.push({ path, message });
      }
      if (inbox !== '' && outbox !== '' && errors.length === 0 && (await areNested(inbox, outbox))) {
        const path = outbox_folder === undefined ? '/inbox_folder' : '/outbox_folder';
        errors.push({ path, message: NESTED });
      }
      const [first] = errors;
      if (first !== undefined) throw new StationError('invalid', `${first.path}: ${first.message}`, errors);
    },
    /** Throws `invalid` if this folder belongs to the station, even if it is reached through links and bind mounts. */
    async refuseOwn(folder: OpenFolder): Promise<void> {
      if (!(await isOwn(true, await folder.identities()))) return;
      throw new StationError(
        'invalid',
        `${folder.path} is the data folder of the station, contains it, or is inside it. ${OWN}`,
      );
    },
    /** Throws `invalid` if the current inbox and outbox are not two separate folders. */
    refuseNested(): void {
      const { inbox_folder: inbox, outbox_folder: outbox } = current();
      if (inbox === '' || outbox === '' || !arePathsNested(inbox, outbox)) return;
      throw new StationError('invalid', NESTED);
    },
  };
}

/** Whether both paths lead to the same folder, or one folder is inside the other. */
async function areNested(a: string, b: string): Promise<boolean> {
  const [first, second] = [await identitiesOfPath(a), await identitiesOfPath(b)];
  const isWithin = (one: typeof first, above: typeof second): boolean =>
    above.exists && one.identities.includes(above.identities[0] ?? '');
  return arePathsNested(a, b) || isWithin(first, second) || isWithin(second, first);
}

function arePathsNested(a: string, b: string): boolean {
  const [first, second] = [resolve(a), resolve(b)];
  return isPathWithin(first, second) || isPathWithin(second, first);
}

function isPathWithin(folder: string, above: string): boolean {
  const way = relative(above, folder);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Returns the device and inode of every folder inside this one. Omits folders that disappear in the meantime. */
async function identitiesBelow(folder: string, found = new Set<string>()): Promise<Set<string>> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(unlessGone)) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    const [status] = await stat(path, { bigint: true }).then((one) => [one], unlessGone);
    if (status === undefined) continue;
    found.add(idOf(status));
    await identitiesBelow(path, found);
  }
  return found;
}

function unlessGone(error: unknown): [] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
  throw error;
}
