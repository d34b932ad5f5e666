import type { TestDelivery } from '#shared/api/callback.ts';
import { useStationContext } from '../station/context.ts';
import { useAct } from '../useAct.ts';
import { Button } from '../kit/button/Button.tsx';
import * as texts from '../words/texts.ts';
import parts from '../kit/parts.module.css';
import styles from './TestCallback.module.css';

const words = texts.settings.callbacks.test;

/** Sends a sample callback to the saved receiver and shows the result. */
export function TestCallback({ isUnsaved }: { isUnsaved: boolean }) {
  const { api } = useStationContext();
  const test = useAct(() => api.testCallback({ body: { receiver: 'http' } }));
  const { busy } = test;
  const said = test.status === 'failed' ? test.failure : test.status === 'done' ? outcome(test.value) : '';

  return (
    <div className={`${parts.stack4} ${styles.test}`}>
      <Button words={busy ? words.sending : words.send} busy={busy} isDisabled={busy} onPress={() => test.run()} />
      <p role="status">{said !== '' || !isUnsaved ? said : words.unsaved}</p>
    </div>
  );
}

function outcome({ status, error, milliseconds }: TestDelivery): string {
  return error === null ? words.taken(status, milliseconds) : words.failed(error);
}
