import { TriangleAlert } from 'lucide-react';
import { useStationState } from '../station/context.ts';
import { useTimed } from '../station/time.ts';
import { Button } from '../kit/button/Button.tsx';
import { untilWords } from '../words/moments.ts';
import { Strip } from '../kit/feedback/Strip.tsx';
import * as texts from '../words/texts.ts';
import { useAttempt, useServices } from './toasts.ts';

const words = texts.callbacks.failing;

/** Shows that the receiver is failing, and since when. Renders nothing while the receiver works. */
export function ReceiverStrip() {
  const receiver = useStationState(({ station }) => station?.receiver ?? null);
  return (
    <div role="status">
      {receiver !== null && <Failing {...receiver} failingSince={Date.parse(receiver.failing_since)} />}
    </div>
  );
}

type FailingProps = { failingSince: number; status: number | null; waiting: number };

function Failing({ failingSince, status, waiting }: FailingProps) {
  const { api, toasts } = useServices();
  const since = useTimed((now) => untilWords(failingSince, now));
  const { busy, run } = useAttempt(words.failed, async () => {
    const sent = await api.sendWaitingCallbacks();
    toasts.show(words.sent(sent.waiting), { topic: 'sendWaiting' });
  });
  return (
    <Strip
      icon={TriangleAlert}
      needsCare
      action={waiting > 0 && <Button words={words.send} needs="manage_callbacks" busy={busy} onPress={run} />}
    >
      <strong>{words.since(since, status)}</strong>
      {waiting > 0 && `: ${words.waiting(waiting)}.`}
    </Strip>
  );
}
