import type { Arch } from './program.ts';

export const NAME = 'pickstation';
export const SUMMARY = 'Pick-to-light for one shop';
export const DESCRIPTION: readonly string[] = [
  'Lights the right shelf from a script, a file of orders or the page, and',
  'reports each press. The station, its page and its REST API run on this',
  'computer; a shop needs nothing else.',
];

/** Maintainer of the packages and address of the product's page, which the publisher of the packages sets. */
export const MAINTAINER = process.env['PICKSTATION_MAINTAINER'] ?? 'Pickstation <pickstation@localhost>';
export const HOMEPAGE = process.env['PICKSTATION_HOMEPAGE'];

export const DEB_ARCHES: Record<Arch, string> = { x64: 'amd64', arm64: 'arm64' };
export const RPM_ARCHES: Record<Arch, string> = { x64: 'x86_64', arm64: 'aarch64' };

/**
 * Debian and Ubuntu packages with the libraries that the program links or opens by name, including libX11-xcb, without which it crashes,
 * notifications, the keyring, and the list of serial ports. If a package was renamed for 64-bit times, the new name comes first, because
 * the old name is virtual in Ubuntu.
 */
export const DEB_DEPENDS: readonly string[] = [
  'libasound2t64 | libasound2',
  'libatk-bridge2.0-0t64 | libatk-bridge2.0-0',
  'libatspi2.0-0t64 | libatspi2.0-0',
  'libcups2t64 | libcups2',
  'libgbm1',
  'libgtk-3-0t64 | libgtk-3-0',
  'libnotify4',
  'libnss3',
  'libsecret-1-0',
  'libstdc++6',
  'libudev1',
  'libx11-6',
  'libx11-xcb1',
  'libxcomposite1',
  'libxdamage1',
  'libxkbcommon0',
  'libxrandr2',
  'udev',
  'xdg-utils',
];

/** Packages that the program can do without: `gdbus` detects the tray, and libGL draws the page faster than the processor. */
export const DEB_RECOMMENDS: readonly string[] = ['libgl1', 'libglib2.0-bin'];

/** Libraries and programs that the program opens by name. rpmbuild itself finds the libraries that the program links. */
export const RPM_REQUIRES: readonly string[] = [
  'libX11-xcb.so.1()(64bit)',
  'libnotify.so.4()(64bit)',
  'libsecret-1.so.0()(64bit)',
  '(systemd-udev or udev)',
  'xdg-utils',
];

/** Converts a version to the form of dpkg and rpm, in which a prerelease sorts before its release. */
export function packageVersion(version: string): string {
  return version.replace('-', '~').replaceAll('-', '.');
}
