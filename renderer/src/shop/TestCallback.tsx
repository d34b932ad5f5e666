import { useState } from 'react';
import type { TestDelivery } from '#shared/api/callback.ts';
import { sentenceOf } from '../words/apiError.ts';
import { useStationContext } from '../station/context.ts';
import { Button } from '../kit/button/Button.tsx';
import * as texts from '../words/texts.ts';
import parts from '../kit/parts.module.css';
import styles from './TestCallback.module.css';

const words = texts.settings.callbacks.test;

/** Sends a sample callback to the saved receiver, and shows the result. */
export function TestCallback({ isUnsaved }: { isUnsaved: boolean }) {
  const { api } = useStationContext();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState('');

  async function send(): Promise<void> {
    setBusy(true);
    setSaid('');
    try {
      setSaid(outcome(await api.testCallback('http')));
    } catch (error) {
      setSaid(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className={`${parts.stack4} ${styles.test}`}>
      <Button words={busy ? words.sending : words.send} busy={busy} isDisabled={busy} onPress={() => void send()} />
      <p role="status">{said !== '' || !isUnsaved ? said : words.unsaved}</p>
    </div>
  );
}

function outcome({ status, error, milliseconds }: TestDelivery): string {
  return error === null ? words.taken(status, milliseconds) : words.failed(error);
}
