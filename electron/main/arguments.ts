import { resolve } from 'node:path';

/** What the desktop shell was started with: the station's own arguments, and the shell's. */
export type ShellArguments = { station: string[]; devtools: boolean };

/** Switches of Chromium and Electron, which stand among ours. Ours have other names. */
const OF_CHROMIUM =
  /^--(?:no-sandbox$|inspect|remote-|disable-|enable-|force-|use-|ozone-|gtk-|lang=|js-flags|password-store|proxy-|host-resolver-rules|log-|v=|vmodule|user-data-dir|allow-|in-process-gpu$|original-process-start-time)/;

/**
 * `argv` as Electron gives it: in a packaged program ours begin behind the program, else behind our folder, `appPath`,
 * where Electron was told it.
 */
export function readArguments(argv: readonly string[], appPath: string): ShellArguments {
  const folder = argv.findIndex((argument, place) => place > 0 && resolve(argument) === resolve(appPath));
  const given = argv.slice(Math.max(folder, 0) + 1).filter((argument) => !OF_CHROMIUM.test(argument));
  return {
    station: given.filter((argument) => argument !== '--devtools'),
    devtools: given.includes('--devtools'),
  };
}
