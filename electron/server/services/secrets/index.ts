import type { CoreOf } from '../../core.ts';
import type { DerivePassword } from '../../ports.ts';
import type { ReceiverBook } from '../callbacks/index.ts';
import type { TurboLinks } from '../turbos/index.ts';
import { createSecrets } from './secrets.ts';

export type { Secrets } from './secrets.ts';

/** Creates the service for secrets that are encrypted with the data key. */
export function createSecretGroup(
  core: CoreOf<'secrets'>,
  needs: { turboLinks: TurboLinks; receiverBook: ReceiverBook; derive: DerivePassword },
) {
  return { secrets: createSecrets({ ...core, ...needs }) };
}
