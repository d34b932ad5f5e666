import type { CoreOf } from '../../core.ts';
import type { DerivePassword } from '../../ports.ts';
import type { AlertRecords } from '../alerts/index.ts';
import type { ReceiverBook } from '../callbacks/index.ts';
import type { TurboLinks } from '../turbos/index.ts';
import { createSecretAlert } from './alert.ts';
import { createSecrets } from './secrets.ts';

export type { Secrets } from './secrets.ts';

/** Secrets that are sealed with the data key, and the alerts about those that cannot be read. */
export function createSecretGroup(
  core: CoreOf<'secrets'>,
  needs: { turboLinks: TurboLinks; receiverBook: ReceiverBook; records: AlertRecords; derive: DerivePassword },
) {
  const secrets = createSecrets({ ...core, ...needs });
  const alert = createSecretAlert({ ...core, ...needs, secrets });
  core.onStop(() => alert.stop());
  core.onStart(() => alert.start());
  return { secrets };
}
