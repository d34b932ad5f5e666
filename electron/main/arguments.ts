import { resolve } from 'node:path';

/** Arguments of the desktop shell: the station's, and its own. */
export type ShellArguments = { station: string[]; devtools: boolean; hidden: boolean };

const OURS = new Set(['--devtools', '--hidden']);

/** What starts this program again. Where an AppImage is mounted, nothing is left once it ends. */
export const PROGRAM = process.env['APPIMAGE'] ?? process.execPath;

/** Switches of Chromium and Electron, mixed with ours. Ours have other names. */
const OF_CHROMIUM =
  /^--(?:no-sandbox$|inspect|remote-|disable-|enable-|force-|use-|ozone-|gtk-|lang=|js-flags|password-store|proxy-|host-resolver-rules|log-|v=|vmodule|user-data-dir|allow-|in-process-gpu$|original-process-start-time)/;

/**
 * `argv` from Electron: in a packaged program our arguments follow the program; otherwise they follow `appPath`, our
 * folder.
 */
export function readArguments(argv: readonly string[], appPath: string): ShellArguments {
  const folder = argv.findIndex((argument, place) => place > 0 && resolve(argument) === resolve(appPath));
  const given = argv.slice(Math.max(folder, 0) + 1).filter((argument) => !OF_CHROMIUM.test(argument));
  return {
    station: given.filter((argument) => !OURS.has(argument)),
    devtools: given.includes('--devtools'),
    hidden: given.includes('--hidden'),
  };
}
