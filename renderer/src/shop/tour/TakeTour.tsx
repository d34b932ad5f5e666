import { Play } from 'lucide-react';
import { useMemo } from 'react';
import { findDevice } from '#shared/api/reducer.ts';
import { DEMO_ORDER } from '#shared/lib/orders/demoOrder.ts';
import { useRight, useStationState } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import { tour as words } from '../../words/tour.ts';
import { useAttempt } from '../toasts.ts';
import { useTour } from './useTour.ts';

/** A button that restarts the tour, for admins, while the demo shop exists. */
export function TakeTour() {
  const maySetUp = useRight('set_up');
  const hasShop = useHasDemoShop();
  const { begin } = useTour();
  const { busy, run } = useAttempt(words.failed, begin);
  if (!maySetUp || !hasShop) return null;
  return <Button icon={Play} words={busy ? words.taking : words.take} busy={busy} onPress={run} />;
}

/** Returns whether every place of the demo order has a device that can be pressed from the page. */
function useHasDemoShop(): boolean {
  const places = useStationState((state) => state.places);
  const wanted = useMemo(() => {
    const deviceAt = new Map(places.map(({ name, deviceid }) => [name, deviceid]));
    return DEMO_ORDER.items.map(({ warehouse_location: place }) => deviceAt.get(place));
  }, [places]);
  return useStationState(({ station }) =>
    wanted.every((id) => id !== undefined && findDevice(station?.devices ?? [], id)?.can_press === true),
  );
}
