import { createPublicKey } from 'node:crypto';
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FuseConfig, FuseV1Options, FuseVersion } from '@electron/fuses';
import type { AfterPackContext } from 'electron-builder';

const LAUNCHER = join(import.meta.dirname, '..', '..', 'resources', 'packaging', 'linux', 'launcher.sh');

/**
 * Disables Electron features that could change what the program does. This is not set in electron-builder.yml, because `afterPack` renames
 * the program.
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

/** Name of the file next to the archive that tells the program where to look for releases, and with which key they must be signed. */
const FEED_FILE = 'release-feed.json';

/**
 * Prepares a packed program. Called by electron-builder. On Linux, a launcher takes the program's name. If `PICKSTATION_RELEASE_KEY` is the
 * path of a private key, the program accepts updates from `publish.url` that are signed with this key.
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
