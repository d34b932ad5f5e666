import { ChevronDown, Plus, RadioTower, Usb, Waypoints } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { usePaletteActions } from '../../ui/paletteActions.ts';
import { texts } from '../../ui/texts.ts';
import { ConnectNetwork } from './ConnectNetwork.tsx';
import { ConnectSerial } from './ConnectSerial.tsx';
import { ConnectSimulated } from './ConnectSimulated.tsx';

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
        groups={[
          {
            rows: [
              { id: 'serial', words: words.serial, icon: <Usb size={16} />, run: () => setWay('serial') },
              { id: 'network', words: words.network, icon: <Waypoints size={16} />, run: () => setWay('network') },
              {
                id: 'simulated',
                words: words.simulated,
                icon: <RadioTower size={16} />,
                run: () => setWay('simulated'),
              },
            ],
          },
        ]}
      />
      {way === 'serial' && <ConnectSerial onClose={close} />}
      {way === 'network' && <ConnectNetwork onClose={close} />}
      {way === 'simulated' && <ConnectSimulated onClose={close} />}
    </>
  );
}
