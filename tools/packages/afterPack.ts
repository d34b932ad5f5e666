import { createPublicKey } from 'node:crypto';
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FuseConfig, FuseV1Options, FuseVersion } from '@electron/fuses';
import type { AfterPackContext } from 'electron-builder';

const LAUNCHER = join(import.meta.dirname, '..', '..', 'resources', 'packaging', 'linux', 'launcher.sh');

/**
 * Disables Electron features that could change what the program does. Set here and not in electron-builder.yml, because the program is
 * renamed afterwards.
 */
const FUSES: FuseConfig = {
  version: FuseVersion.V1,
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
};

/** A file next to the archive. It says where the program looks for releases, and whose releases it installs. */
const FEED_FILE = 'release-feed.json';

/**
 * Prepares each packed program; electron-builder calls it. On Linux, a launcher takes the program's name. If `PICKSTATION_RELEASE_KEY` is
 * the path of a private key, the program accepts updates from `publish.url` that are signed with this key.
 */
export async function afterPack(context: AfterPackContext): Promise<void> {
  const { packager, appOutDir, electronPlatformName } = context;
  await packager.addElectronFuses(context, FUSES);
  const keyFile = process.env['PICKSTATION_RELEASE_KEY'];
  if (keyFile !== undefined) {
    const key = createPublicKey(readFileSync(keyFile, 'utf8')).export({ type: 'spki', format: 'pem' });
    const { url } = (packager.config.publish ?? {}) as { url?: string };
    if (url === undefined) throw new Error('PICKSTATION_RELEASE_KEY needs the address of the feed: -c.publish.url');
    writeFileSync(join(packager.getResourcesDir(appOutDir), FEED_FILE), JSON.stringify({ url, key }));
  }
  if (electronPlatformName !== 'linux') return;
  const program = join(appOutDir, 'pickstation');
  renameSync(program, `${program}.bin`);
  copyFileSync(LAUNCHER, program);
}
