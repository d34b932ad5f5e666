import { Play } from 'lucide-react';
import { useMemo } from 'react';
import { findDevice } from '#shared/api/reducer.ts';
import { DEMO_ORDER } from '#shared/lib/demoOrder.ts';
import { useRight, useStationContext, useStationState } from '../../station/context.ts';
import { Button } from '../../ui/Button.tsx';
import { tour as words } from '../../ui/texts/tour.ts';
import { useAttempt } from '../../ui/toasts.ts';
import { useTour } from './useTour.ts';

/** Starts the tour again: for admins, while the demo shop exists. */
export function TakeTour() {
  const maySetUp = useRight('set_up');
  const hasShop = useHasDemoShop();
  const { begin } = useTour();
  const { busy, run } = useAttempt(words.failed, begin);
  if (!maySetUp || !hasShop) return null;
  return <Button icon={Play} words={busy ? words.taking : words.take} busy={busy} onPress={run} />;
}

/** Every place of the demo order has a device that can be pressed from here. */
function useHasDemoShop(): boolean {
  const { store } = useStationContext();
  const places = useStationState((state) => state.places);
  return useMemo(() => {
    const devices = store.getState().station?.devices ?? [];
    const pressed = new Set(
      places.flatMap(({ name, deviceid }) => (findDevice(devices, deviceid)?.can_press === true ? [name] : [])),
    );
    return DEMO_ORDER.items.every(({ warehouse_location: place }) => pressed.has(place));
  }, [store, places]);
}
