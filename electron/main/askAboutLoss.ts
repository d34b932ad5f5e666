import type { MessageBoxOptions } from 'electron';
import type { StationConfig } from '../server/config.ts';
import type { DataLost } from '../server/errors.ts';
import { words } from './words.ts';

/** Asks the user what to do about lost data, before the station serves anything. Returns how to start, or undefined to cancel the start. */
export async function askAboutLoss(
  config: StationConfig,
  { loss, backup }: Pick<DataLost, 'loss' | 'backup'>,
  show: (options: MessageBoxOptions) => Promise<{ response: number }>,
): Promise<StationConfig | undefined> {
  const ways: { button: string; start: StationConfig | undefined }[] = [
    { button: words.acceptLoss, start: { ...config, acceptLoss: true } },
    { button: words.quit, start: undefined },
  ];
  const hasBackup = typeof backup === 'object';
  if (hasBackup)
    ways.unshift({
      button: words.restoreBackup(backup.createdAt),
      start: { ...config, restore: backup.path, yes: true },
    });
  const { response } = await show({
    type: 'warning',
    title: words.name,
    message: words.lostTitle,
    detail: words.lost(loss, hasBackup ? backup.opens : undefined),
    buttons: ways.map(({ button }) => button),
    defaultId: 0,
    cancelId: ways.length - 1,
    noLink: true,
  });
  return ways[response]?.start;
}
