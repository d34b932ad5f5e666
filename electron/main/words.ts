import type { GoodBackup, Loss } from '../server/errors.ts';
import type { Rest } from './leaving.ts';

const MAX_LISTED = 15;

const FORBIDDEN =
  'This system does not allow the sandbox that protects the window (user namespaces). Pickstation opens no window without it.';
const PACKAGE = 'Install Pickstation from its .deb or .rpm package, which the system trusts.';
const OTHER_REMEDY = `${PACKAGE} In a container, allow user namespaces.`;
/** What the user can do about a missing sandbox, by the launcher's reason for not opening a window. */
const REMEDIES = new Map(
  Object.entries<(program: string) => string>({
    limit: () => `${PACKAGE} Or let an administrator run: sudo sysctl -w user.max_user_namespaces=10000`,
    kernel: () => `${PACKAGE} Or let an administrator run: sudo sysctl -w kernel.unprivileged_userns_clone=1`,
    apparmor: (program) =>
      program.startsWith('/tmp/.mount_')
        ? PACKAGE
        : `${PACKAGE} Or let an administrator write these lines into /etc/apparmor.d/pickstation, and restart the machine:\nabi <abi/4.0>,\nprofile pickstation "${program}" flags=(unconfined) { userns, }`,
  }),
);

function listed(names: readonly string[]): string {
  const rest = names.length - MAX_LISTED;
  return [...names.slice(0, MAX_LISTED), ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}

/** Lists what a backup opens, and ends with a blank. */
function opensWords(opens: GoodBackup['opens']): string {
  if (opens.length === 0) return ' ';
  const list = opens.map(({ name, value }) => `${name}: ${value}`).join('\n');
  return ` It opens what is closed or different now. Check that you know each of these:\n${list}\n\n`;
}

/** All texts that the shell shows. */
export const words = {
  name: 'Pickstation',
  ready: (url: string) => `Pickstation ready at ${url}`,
  second: 'Pickstation is already running on this data folder. Showing its window.',
  /** Options of the shell in the output of `--help`. */
  options:
    '  --hidden         start without showing the window\n  --in-browser     show the page in the system’s browser, without a window\n  --devtools       the window may open the developer tools\n',
  noService:
    'The program with a window cannot run as a service. Choose File > Start when I sign in, or install the station without a window: npm run serve -- --service install.',
  atLogin: 'Start when I sign in',
  updates: 'Check for updates…',
  atLoginFailed: 'Start when I sign in could not be changed',
  opened: (url: string) => `A station is already running on this data folder. Opening it at ${url}`,
  refused: 'Pickstation cannot start',
  emptied: 'The data folder was empty',
  bug: 'An unexpected error occurred and Pickstation must quit. Start it again; everything acknowledged is stored.',
  hiddenOwner: (message: string) =>
    `${message}\n\nIt could not be reached on this machine. If it is just starting, try again in a moment.`,
  portTaken: (message: string) =>
    `${message}\n\nWith a free port the window works as usual, but scripts and tablets that use the old port cannot reach the station. Pickstation then lists the programs that have used it.`,
  movedTitle: (url: string) => `The station is now at ${url}`,
  /** Explains the new port. `programs` are the names of programs with a key. */
  moved: (isKept: boolean, programs: readonly string[]) =>
    [
      isKept
        ? 'It keeps this port at each start; you can change it in the settings, under Network and security.'
        : 'This port is temporary: the next start uses the port from --port again.',
      programs.length === 0
        ? 'No program has used it with a key yet.'
        : `These programs have used it with a key, and need the new address:\n${listed(programs)}`,
      'Tablets and network turbos need the new address too.',
    ].join('\n\n'),
  ok: 'OK',
  showSettings: 'Show the settings',
  inBrowserTitle: 'Pickstation runs without its window',
  inBrowser: (url: string) => `The station works as usual for devices, tablets and scripts. Its page is at ${url}`,
  inBrowserAgain: 'To see this message again or to quit, start Pickstation again.',
  /** Explains why the page opens in a browser. `because` is the launcher's reason, and `program` is the path of the executable. */
  whyInBrowser: (because: string, program: string) =>
    because === '' ? [] : [FORBIDDEN, REMEDIES.get(because)?.(program) ?? OTHER_REMEDY],
  firstPassword: (password: string | undefined) =>
    password === undefined
      ? []
      : [`Sign in as admin with the password ${password} (shown until you quit; change it on the page).`],
  openPage: 'Open the page in the browser',
  close: 'Close',
  lostTitle: 'Some data of this station is missing',
  /** `opens` lists what the newest backup would open. It is undefined if no backup can be restored. */
  lost: ({ found, isEmpty }: Loss, opens: GoodBackup['opens'] | undefined) =>
    `${found}\n\n${opens !== undefined ? `You can restore the newest backup. It lacks all later changes.${opensWords(opens)}` : 'No backup in the data folder can be restored. '}${isEmpty ? 'The remaining data cannot be used, so you can only start with an empty station.' : 'You can also start with the remaining data.'} Either way, the current files are kept in the data folder.`,
  acceptLoss: 'Start with the remaining data',
  restoreBackup: (createdAt: number) =>
    `Restore the backup of ${new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(createdAt)}`,
  freePort: 'Use a free port',
  quit: 'Quit',
  quitName: 'Quit Pickstation',
  show: 'Show the window',
  help: 'Help',
  terms: 'Words and what they mean',
  shortcuts: 'Keyboard shortcuts',
  licences: 'Licenses',
  about: 'About Pickstation',
  showLogs: 'Show logs',
  hidden: 'The station keeps running',
  hiddenInTray: 'Tablets and scripts still reach it. Open the window or quit from the icon in the tray.',
  noGraphicsTitle: 'Pickstation draws without the graphics card',
  noGraphics:
    'The graphics card failed twice within a minute, so Pickstation started again without it. Everything that was lit is still lit. To try the card again, choose View, Use the graphics card.',
  useGraphics: 'Use the graphics card',
  nextStart: 'This takes effect at the next start.',
  askTitle: 'Keep the station running?',
  ask: 'Tablets and scripts reach it without this window. Start Pickstation again to see the window.',
  keep: 'Keep it running',
  doNotAsk: 'Do this each time',
  askAgain: 'Ask again when the window closes',
  quitTitle: 'Quit Pickstation?',
  /** Sentences about the work that the station leaves unfinished when it ends. */
  rest: ({ lit, owed }: Rest) => [
    ...(lit === 0
      ? []
      : [
          `${lit === 1 ? '1 device is lit and stays lit' : `${lit} devices are lit and stay lit`}; buttons that are pressed meanwhile count when Pickstation starts again.`,
        ]),
    ...(owed === 0
      ? []
      : [
          `${owed === 1 ? '1 callback is not delivered' : `${owed} callbacks are not delivered`}; Pickstation sends ${owed === 1 ? 'it' : 'them'} when it starts again.`,
        ]),
  ],
  cancel: 'Cancel',
  noneLit: 'Nothing is lit',
  lit: (count: number) => (count === 1 ? '1 device is lit' : `${count} devices are lit`),
  more: (count: number) => `and ${count} more`,
  crashedTitle: 'The window stopped several times',
  crashed:
    'The station itself keeps running: devices, tablets and scripts work. Try the window again, or restart Pickstation if it stops once more.',
  unreachableTitle: 'The station does not answer',
  unreachable: (url: string) => `Nothing answers at ${url}. If the station was stopped, start it and try again.`,
  tryAgain: 'Try again',
  stuckTitle: 'The window does not answer',
  stuck: 'The station itself keeps running. Wait a moment, or reload the window.',
  wait: 'Wait',
  reload: 'Load it anew',
} as const;
