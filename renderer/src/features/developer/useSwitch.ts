import { useState } from 'react';
import { sentenceOf } from '../../station/apiError.ts';
import { useStationContext } from '../../station/context.ts';
import { texts } from '../../ui/texts.ts';
import { useLoaded } from '../../station/useLoaded.ts';

type Switch = {
  /** Undefined until it is known. */
  isOn: boolean | undefined;
  busy: boolean;
  /** Why it could not be turned on; empty where it could. */
  failure: string;
  turnOn(): Promise<void>;
};

/** Whether the station keeps requests at all. */
export function useSwitch(): Switch {
  const { api } = useStationContext();
  const { value, reload } = useLoaded('settings', '', () => api.loadSettings());
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');

  async function turnOn(): Promise<void> {
    setBusy(true);
    setFailure('');
    try {
      await api.changeSettings({ request_log: true });
      reload();
    } catch (error) {
      setFailure(sentenceOf(error, texts.failure.other));
    } finally {
      setBusy(false);
    }
  }

  return { isOn: value?.request_log, busy, failure, turnOn };
}
