import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';

/** Arguments for the desktop shell, and those that the shell passes to the station. */
export type ShellArguments = {
  station: string[];
  devtools: boolean;
  hidden: boolean;
  /** Why the page opens in the system's browser instead of a window, or empty if the user requested this. Undefined if a window opens. */
  inBrowser: string | undefined;
  /** Whether to only guard an update of the program on this data folder. */
  guardUpdate: boolean;
};

const OURS = /^--(?:devtools|hidden|guard-update|in-browser(?:=(?<because>.*))?)$/;

/** The AppImage file that this program runs from, or undefined if it does not run from an AppImage. */
export const APPIMAGE = findAppImage(process.env, process.execPath);

/**
 * The file that starts this program again. On Linux, this is the launcher in the same folder, or the AppImage file, because the AppImage's
 * mount disappears when the program ends.
 */
export const PROGRAM = APPIMAGE ?? process.execPath.replace(/\.bin$/, '');

/** Switches of Chromium and Electron, which can appear between our arguments. None has the same name as one of ours. */
const OF_CHROMIUM =
  /^--(?:no-sandbox$|inspect|remote-|disable-|enable-|force-|use-|ozone-|gtk-|lang=|js-flags|password-store|proxy-|host-resolver-rules|log-|v=|vmodule|user-data-dir|allow-|in-process-gpu$|original-process-start-time)/;

/** Reads `argv` from Electron. In a packaged program, our arguments follow the program; otherwise they follow our folder, `appPath`. */
export function readArguments(argv: readonly string[], appPath: string): ShellArguments {
  const folder = argv.findIndex((argument, place) => place > 0 && resolve(argument) === resolve(appPath));
  const given = argv.slice(Math.max(folder, 0) + 1).filter((argument) => !OF_CHROMIUM.test(argument));
  const inBrowser = given.find((argument) => argument.startsWith('--in-browser'));
  return {
    station: given.filter((argument) => !OURS.test(argument)),
    devtools: given.includes('--devtools'),
    hidden: given.includes('--hidden'),
    guardUpdate: given.includes('--guard-update'),
    inBrowser: inBrowser === undefined ? undefined : (OURS.exec(inBrowser)?.groups?.['because'] ?? ''),
  };
}

/** Removes arguments that must take effect only once, because they would lose data at a second start, or belong to such an argument. */
export function repeatable(args: readonly string[]): string[] {
  const isValue = (place: number): boolean => /^--(?:restore|bring-back)$/.test(args[place - 1] ?? '');
  const isOnce = (argument: string): boolean => /^--(?:(?:restore|bring-back)(?:=.*)?|yes|accept-loss)$/.test(argument);
  return args.filter((argument, place) => !isOnce(argument) && !isValue(place));
}

/**
 * Returns the AppImage that `program` runs from, or undefined if there is none. If another AppImage, such as a terminal, started this
 * program, the environment variables describe that AppImage instead.
 */
export function findAppImage(
  { APPIMAGE: file, APPDIR: folder }: Readonly<Record<string, string | undefined>>,
  program: string,
): string | undefined {
  if (file === undefined || folder === undefined || folder === '') return undefined;
  try {
    return relative(realpathSync(folder), realpathSync(program)).startsWith('..') ? undefined : file;
  } catch {
    return undefined;
  }
}
