import { useState } from 'react';
import { useStationContext } from '../../station/context.ts';
import { FormDialog, type FieldProblems } from '../../ui/FormDialog.tsx';
import { WholeNumberField } from '../../ui/numberField.tsx';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';

const words = texts.turbos.simulated;
const USUAL = 6;
const MAX = 1_000;

/** Devices that behave like real ones, on a turbo that does. */
export function ConnectSimulated({ onClose }: { onClose(): void }) {
  const { api } = useStationContext();
  const toasts = useToasts();
  const [count, setCount] = useState<number | null>(USUAL);
  return (
    <FormDialog
      title={words.title}
      submit={words.submit}
      typed={String(count)}
      check={(): FieldProblems => (count === null || count < 1 || count > MAX ? { count: words.noCount } : {})}
      save={async () => {
        await api.addSimulatedDevices(count ?? USUAL);
        toasts.say(words.done(count ?? USUAL));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{words.lead}</p>
      <WholeNumberField name="count" label={words.count} value={count} onChange={setCount} />
    </FormDialog>
  );
}
