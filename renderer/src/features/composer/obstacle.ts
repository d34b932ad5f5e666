import { useStationState } from '../../station/context.ts';
import { texts } from '../../ui/texts.ts';

/** Why nothing can be sent to a device now, as a sentence; empty where nothing is in the way. */
export function useObstacle(isKnown: boolean): string {
  const isLost = useStationState(({ connection }) => connection.kind === 'lost');
  if (isLost) return texts.panel.outage;
  return isKnown ? '' : texts.panel.vanished;
}
