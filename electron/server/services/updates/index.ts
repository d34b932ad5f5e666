import type { CoreOf } from '../../core.ts';
import type { Updater } from '../../ports.ts';
import { createUpdates } from './updates.ts';

export type { Updates } from './updates.ts';

/** Creates the service for updates to newer versions. Without `updater`, the program is updated by the tool that installed it. */
export function createUpdateGroup(core: CoreOf<'updates'>, { updater }: { updater?: Updater | undefined }) {
  const updates = createUpdates({ ...core, updater });
  core.onStart(() => {
    core.onStop(() => updates.stop());
    updates.start();
  });
  return { updates };
}
