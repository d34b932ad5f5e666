import type { NewSequence } from '#shared/api/sequence.ts';
import type { Place } from '../../station/places.ts';
import { texts } from '../../ui/texts.ts';

const words = texts.sequences.empty;
/** The first alone, then two together, then the last. */
const ORDERS = [1, 2, 2, 3];

/** A few steps at the first devices by name. */
export function exampleSequence(places: readonly Place[], sequenceid: string): NewSequence {
  return {
    sequenceid,
    steps: ORDERS.flatMap((order, index) => {
      const place = places[index];
      if (place === undefined) return [];
      const { deviceid, name } = place;
      return [
        {
          order,
          ...(name === deviceid ? { device: deviceid } : { location: name }),
          command: 'flash',
          line1: words.exampleLines[index] ?? '',
          color: 'blue',
          seconds: 300,
        },
      ];
    }),
  };
}
