import { ChevronDown, Plus, RadioTower, Usb, Waypoints } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { type FieldMessages, FormDialog } from '../../ui/FormDialog.tsx';
import { Menu, menuOf } from '../../ui/Menu.tsx';
import { WholeNumberField } from '../../ui/NumberLine.tsx';
import { usePaletteActions } from '../../ui/paletteActions.ts';
import { texts } from '../../ui/texts.ts';
import { useServices } from '../../ui/toasts.ts';
import { ConnectNetwork } from './ConnectNetwork.tsx';
import { ConnectSerial } from './ConnectSerial.tsx';

const words = texts.turbos.connect;

type Way = 'serial' | 'network' | 'simulated';

/** Connects one more turbo, in one of three ways. */
export function ConnectMenu() {
  const [way, setWay] = useState<Way>();
  const close = () => setWay(undefined);
  usePaletteActions([{ id: 'connectTurbo', words: words.open, hint: texts.turbos.title, run: () => setWay('serial') }]);
  return (
    <>
      <Menu
        label={words.menu}
        placement="bottom end"
        trigger={
          <Button look="primary">
            <Plus size={18} aria-hidden="true" />
            {words.open}
            <ChevronDown size={16} aria-hidden="true" />
          </Button>
        }
        groups={menuOf([
          { id: 'serial', words: words.serial, icon: Usb, run: () => setWay('serial') },
          { id: 'network', words: words.network, icon: Waypoints, run: () => setWay('network') },
          { id: 'simulated', words: words.simulated, icon: RadioTower, run: () => setWay('simulated') },
        ])}
      />
      {way === 'serial' && <ConnectSerial onClose={close} />}
      {way === 'network' && <ConnectNetwork onClose={close} />}
      {way === 'simulated' && <ConnectSimulated onClose={close} />}
    </>
  );
}

const connectSimulatedWords = texts.turbos.simulated;
const USUAL = 6;
const MAX = 1_000;

/** Devices that behave like real ones, on a turbo that does. */
function ConnectSimulated({ onClose }: { onClose(): void }) {
  const { api, toasts } = useServices();
  const [count, setCount] = useState<number | null>(USUAL);
  return (
    <FormDialog
      title={connectSimulatedWords.title}
      submit={connectSimulatedWords.submit}
      draft={count}
      check={(): FieldMessages =>
        count === null || count < 1 || count > MAX ? { count: connectSimulatedWords.noCount } : {}
      }
      save={async () => {
        await api.addSimulatedDevices(count ?? USUAL);
        toasts.say(connectSimulatedWords.done(count ?? USUAL));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{connectSimulatedWords.lead}</p>
      <WholeNumberField name="count" label={connectSimulatedWords.count} value={count} onChange={setCount} />
    </FormDialog>
  );
}
