import type { Sequence, Step } from '#shared/api/sequence.ts';
import { useStationState } from '../../station/context.ts';
import type { Place } from '../../station/places.ts';
import { texts } from '../../ui/texts.ts';
import { Notice } from '../work/Notice.tsx';
import { haltOf } from './groups.ts';

const words = texts.sequences.halt;
const MAX_NAMED = 4;

/** Which step halts a sequence, why, and what to do. */
export function Halt({ sequence }: { sequence: Sequence }) {
  const places = useStationState((state) => state.places);
  const halt = haltOf(sequence);
  if (halt === undefined) return null;
  const { timedOut, takenAway, stillLit } = halt;
  const names = (steps: readonly Step[]) => namesOf(steps, places);
  const said = [
    timedOut.length === 0 ? '' : words.timedOut(names(timedOut)),
    takenAway.length === 0 ? '' : words.takenAway(names(takenAway)),
    stillLit.length === 0 ? '' : words.stillLit(names(stillLit)),
  ].filter((sentence) => sentence !== '');
  return <Notice label={words.title} title={said.join(' ')} body={words.todo} />;
}

function namesOf(steps: readonly Step[], places: readonly Place[]): string {
  const all = steps.map((step) => stepPlace(step, places));
  const [first = '', ...others] = [...new Set(all)];
  const named = [first, ...others.slice(0, MAX_NAMED - 1)];
  return others.length >= MAX_NAMED ? `${named.join(', ')}, …` : named.join(', ');
}

/** What people call the place of a step. */
function stepPlace({ deviceid, device, location }: Step, places: readonly Place[]): string {
  const id = deviceid ?? device;
  return location ?? places.find((place) => place.deviceid === id)?.name ?? id ?? '';
}
