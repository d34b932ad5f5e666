import { copyFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FuseConfig, FuseV1Options, FuseVersion } from '@electron/fuses';
import type { AfterPackContext } from 'electron-builder';
import { updateFeed } from './updateFeed.ts';

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
 * Prepares a packed program. Called by electron-builder. On Linux, a launcher takes the program's name. If `PICKSTATION_UPDATE_KEY` is the
 * path of a public key, the program accepts updates from `publish.url` that are signed with this key.
 */
export async function afterPack(context: AfterPackContext): Promise<void> {
  const { packager, appOutDir, electronPlatformName } = context;
  await packager.addElectronFuses(context, FUSES);
  const feed = updateFeed(process.env, ((packager.config.publish ?? {}) as { url?: string }).url);
  if (feed !== undefined) writeFileSync(join(packager.getResourcesDir(appOutDir), FEED_FILE), JSON.stringify(feed));
  if (electronPlatformName !== 'linux') return;
  const program = join(appOutDir, 'pickstation');
  renameSync(program, `${program}.bin`);
  copyFileSync(LAUNCHER, program);
}
