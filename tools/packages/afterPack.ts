import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type FuseConfig, FuseV1Options, FuseVersion } from '@electron/fuses';
import type { AfterPackContext } from 'electron-builder';

const LAUNCHER = join(import.meta.dirname, '..', '..', 'resources', 'packaging', 'linux', 'launcher.sh');

/** What the program cannot be made to do. Set here, as the program has another name afterwards. */
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

/** Called by electron-builder with each packed program: on Linux a launcher takes its name. */
export async function afterPack(context: AfterPackContext): Promise<void> {
  const { packager, appOutDir, electronPlatformName } = context;
  await packager.addElectronFuses(context, FUSES);
  if (electronPlatformName !== 'linux') return;
  const program = join(appOutDir, 'pickstation');
  renameSync(program, `${program}.bin`);
  copyFileSync(LAUNCHER, program);
}
