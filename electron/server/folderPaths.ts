import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { FieldError } from '#shared/api/problem.ts';
import type { Settings, SettingsChange } from '#shared/api/settings.ts';
import { StationError } from './errors.ts';

type FolderPaths = Pick<Settings, 'inbox_folder' | 'outbox_folder'>;

/** Checks folders before they are set. */
export type FolderCheck = {
  /** Throws `invalid` if the settings would name folders that cannot be used. A folder that does not exist is no fault. */
  check(change: SettingsChange): void;
};

/** Keeps the data folder out of the folders of orders, and those apart. */
export function createFolderCheck(dataFolder: string, current: () => FolderPaths): FolderCheck {
  return {
    check({ inbox_folder, outbox_folder }) {
      if (inbox_folder === undefined && outbox_folder === undefined) return;
      const { inbox_folder: oldInbox, outbox_folder: oldOutbox } = current();
      const inbox = inbox_folder ?? oldInbox;
      const outbox = outbox_folder ?? oldOutbox;
      const errors: FieldError[] = [];
      for (const [path, folder] of [
        ['/inbox_folder', inbox],
        ['/outbox_folder', outbox],
      ] as const) {
        const message = faultOf(folder, dataFolder);
        if (message !== '') errors.push({ path, message });
      }
      if (inbox !== '' && outbox !== '' && errors.length === 0 && areNested(inbox, outbox)) {
        const path = outbox_folder === undefined ? '/inbox_folder' : '/outbox_folder';
        errors.push({ path, message: 'Inbox and outbox are two folders, and neither is inside the other.' });
      }
      const [first] = errors;
      if (first !== undefined) throw new StationError('invalid', `${first.path}: ${first.message}`, errors);
    },
  };
}

/** Empty: none. */
function faultOf(folder: string, dataFolder: string): string {
  if (folder === '') return '';
  if (!isAbsolute(folder)) return 'Write the whole path of a folder on the machine of the station.';
  return areNested(folder, dataFolder) ? 'Choose a folder that neither is, holds nor is inside the data folder.' : '';
}

/** Whether both are the same folder, or one is inside the other. */
function areNested(a: string, b: string): boolean {
  const [first, second] = [realPath(resolve(a)), realPath(resolve(b))];
  return isWithin(first, second) || isWithin(second, first);
}

function isWithin(folder: string, above: string): boolean {
  const way = relative(above, folder);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Without links, as far as the path exists. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPath(above), basename(path));
  }
}
