import { resolve } from 'node:path';

/** Arguments of the desktop shell: the station's, and its own. */
export type ShellArguments = {
  station: string[];
  devtools: boolean;
  hidden: boolean;
  /** Shows no window, and the page in the system's browser. The text says why; empty: somebody wanted that. */
  inBrowser: string | undefined;
};

const OURS = /^--(?:devtools|hidden|in-browser(?:=(?<because>.*))?)$/;

/**
 * What starts this program again: on Linux the launcher beside it. Where an AppImage is mounted, nothing is left once it
 * ends.
 */
export const PROGRAM = process.env['APPIMAGE'] ?? process.execPath.replace(/\.bin$/, '');

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
  const inBrowser = given.find((argument) => argument.startsWith('--in-browser'));
  return {
    station: given.filter((argument) => !OURS.test(argument)),
    devtools: given.includes('--devtools'),
    hidden: given.includes('--hidden'),
    inBrowser: inBrowser === undefined ? undefined : (OURS.exec(inBrowser)?.groups?.['because'] ?? ''),
  };
}
