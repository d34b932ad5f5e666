import type { CoreOf } from '../../core.ts';
import type { Updater } from '../../ports.ts';
import { createUpdates } from './updates.ts';

export type { Updates } from './updates.ts';

/** Newer versions of the program. Without an `updater` it is updated where it came from. */
export function createUpdateGroup(core: CoreOf<'updates'>, { updater }: { updater?: Updater | undefined }) {
  const updates = createUpdates({ ...core, updater });
  core.onStart(() => {
    core.onStop(() => updates.stop());
    updates.start();
  });
  return { updates };
}
