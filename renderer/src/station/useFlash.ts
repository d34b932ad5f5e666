import { sentenceOf } from './apiError.ts';
import { useStationContext } from './context.ts';
import { texts } from '../ui/texts.ts';
import { useToasts } from '../ui/toasts.ts';

/** Flashes somebody's first device and says what to look for. Undefined: there is none. */
export function useFlash(): (deviceid: string | undefined) => void {
  const { api } = useStationContext();
  const toasts = useToasts();
  return (deviceid) => {
    if (deviceid === undefined) return;
    api.identify(deviceid).then(
      () => toasts.say(texts.welcome.flashes),
      (error: unknown) => toasts.fail(`${texts.welcome.notFlashing} ${sentenceOf(error, texts.failure.other)}`),
    );
  };
}
