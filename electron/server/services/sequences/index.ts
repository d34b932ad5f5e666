import type { CoreOf } from '../../core.ts';
import type { Callbacks } from '../callbacks/index.ts';
import type { CommandOwners, Commands } from '../commands/index.ts';
import { createSequenceLists } from './lists.ts';
import { createSequences } from './sequences.ts';

export type { SequenceLists } from './lists.ts';
export type { GivenSequence, Sequences } from './sequences.ts';

export function createSequenceGroup(
  core: CoreOf<'sequences'>,
  needs: { callbacks: Callbacks; commands: Commands; owners: CommandOwners },
) {
  const sequences = createSequences({ ...core, ...needs });
  needs.owners.follow('step', { ended: sequences.ended, moved: sequences.stepMoved });
  return { sequences, lists: createSequenceLists(core) };
}
