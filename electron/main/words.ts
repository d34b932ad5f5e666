import type { Loss } from '../server/errors.ts';

/** Every sentence that the shell itself says to a person. */
export const words = {
  name: 'Pickstation',
  ready: (url: string) => `Pickstation ready at ${url}`,
  second: 'Pickstation runs on this data folder already: its window comes to the front.',
  opened: (url: string) => `A station runs on this data folder already: the window opens it at ${url}`,
  refused: 'Pickstation cannot start',
  bug: 'Pickstation met an error that it does not know and ends. Start it again; what was acknowledged is kept.',
  hiddenOwner: (message: string) =>
    `${message}\n\nIt could not be reached at an address of this machine. If it is just starting, try again in a moment.`,
  portTaken: (message: string) =>
    `${message}\n\nWith a free port the window works as always; scripts and tablets that call the old port do not reach the station.`,
  lostTitle: 'Some data of this station is missing',
  lost: ({ found, isEmpty }: Loss, hasBackup: boolean) =>
    `${found}\n\n${hasBackup ? 'You can restore the newest backup. It does not hold what was changed after it was made.' : 'There is no backup in the data folder that can be restored.'} ${isEmpty ? 'Nothing of it can be used: what you can start with is an empty station.' : 'You can also start with what is there.'} Either way the files as they are now are kept in the data folder.`,
  acceptLoss: 'Start with what is there',
  restoreBackup: (createdAt: number) =>
    `Restore the backup of ${new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(createdAt)}`,
  freePort: 'Use a free port',
  quit: 'Quit',
  quitName: 'Quit Pickstation',
  show: 'Show the window',
  hidden: 'The station goes on',
  hiddenInTray: 'Tablets and scripts still reach it. Open the window or quit from the icon in the tray.',
  askTitle: 'Keep the station running?',
  ask: 'Tablets and scripts reach it without this window. Start Pickstation again to see the window.',
  keep: 'Keep it running',
  cancel: 'Cancel',
  noneLit: 'Nothing is lit',
  lit: (count: number) => (count === 1 ? '1 device is lit' : `${count} devices are lit`),
  more: (count: number) => `and ${count} more`,
  crashedTitle: 'The window stopped several times',
  crashed:
    'The station itself goes on: devices, tablets and scripts work. Try the window again, or start Pickstation anew if it stops once more.',
  unreachableTitle: 'The station does not answer',
  unreachable: (url: string) => `Nothing answers at ${url}. If the station was stopped, start it and try again.`,
  tryAgain: 'Try again',
  stuckTitle: 'The window does not answer',
  stuck: 'The station itself goes on. Wait a little, or load the window anew.',
  wait: 'Wait',
  reload: 'Load it anew',
} as const;
