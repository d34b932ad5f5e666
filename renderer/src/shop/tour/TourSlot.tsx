import { lazy, Suspense, useState } from 'react';
import type { WorkLine } from '#shared/api/picking.ts';
import { useTour } from './useTour.ts';

const Tour = lazy(async () => {
  const { Tour: component } = await import('./Tour.tsx');
  return { default: component };
});

type Props = {
  /** Number of the order on the page, or undefined if there is none. */
  orderNumber: string | undefined;
  /** Remaining lines, next one first, or undefined until they are loaded. */
  lines: readonly WorkLine[] | undefined;
};

/** The place of the tour next to the instruction. Renders nothing unless this person's tour is running. */
export function TourSlot(props: Props) {
  const { memory } = useTour();
  const [ofTour, setOfTour] = useState(() => memory.order());
  if (ofTour === undefined) return null;
  return (
    <Suspense fallback={null}>
      <Tour
        {...props}
        ofTour={ofTour}
        end={() => {
          memory.end();
          setOfTour(undefined);
        }}
        begun={() => setOfTour(memory.order())}
      />
    </Suspense>
  );
}
