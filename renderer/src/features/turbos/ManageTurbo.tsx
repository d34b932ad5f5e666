import { ChevronDown, KeyRound, ListX, Pencil, Power, Unplug } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Turbo, TurboLink } from '#shared/api/turbo.ts';
import { sentenceOf } from '../../station/apiError.ts';
import { useRight, useStationContext } from '../../station/context.ts';
import { Button } from '../../ui/Button.tsx';
import { Menu, type MenuRow } from '../../ui/Menu.tsx';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';
import { nameOf } from './joinLinks.ts';
import { Disconnect, Forget, Rename } from './TurboDialogs.tsx';

const words = texts.turbos;

type Props = { turbo: Turbo; link: TurboLink | undefined; isAdmin: boolean };

/** What can be done with a turbo, by how it is connected and whether it is there. */
export function ManageTurbo({ turbo, link, isAdmin }: Props) {
  const { api } = useStationContext();
  const toasts = useToasts();
  const maySimulate = useRight('simulate');
  const [, navigate] = useLocation();
  const [asks, setAsks] = useState<'rename' | 'disconnect' | 'forget'>();
  const { serial_number, status, transport } = turbo;
  const isGone = status === 'offline';
  const close = () => setAsks(undefined);

  function switchTo(connected: boolean): void {
    api
      .switchSimulatedTurbo(serial_number, connected)
      .catch((error: unknown) => toasts.fail(`${words.switchFailed} ${sentenceOf(error, texts.failure.other)}`));
  }

  const power = { id: 'power', icon: <Power size={16} /> };
  const rows: (MenuRow | false)[] = [
    isAdmin && {
      id: 'rename',
      words: words.rename.action,
      icon: <Pencil size={16} />,
      run: () => setAsks('rename'),
    },
    transport === 'simulated' &&
      maySimulate && {
        ...power,
        words: isGone ? words.switchOn : words.switchOff,
        run: () => switchTo(isGone),
      },
    isAdmin &&
      transport === 'network' && {
        id: 'key',
        words: words.key,
        icon: <KeyRound size={16} />,
        run: () => navigate('/users/programs'),
      },
    isAdmin &&
      link !== undefined && {
        id: 'disconnect',
        words: words.disconnect.action,
        icon: <Unplug size={16} />,
        run: () => setAsks('disconnect'),
      },
    isAdmin &&
      isGone && {
        id: 'forget',
        words: words.forget.action,
        icon: <ListX size={16} />,
        run: () => setAsks('forget'),
      },
  ];
  const shown = rows.filter((row) => row !== false);
  if (shown.length === 0) return null;
  const label = words.manageOf(nameOf(turbo));
  return (
    <>
      <Menu
        label={label}
        trigger={
          <Button aria-label={label}>
            {words.manage}
            <ChevronDown size={16} aria-hidden="true" />
          </Button>
        }
        groups={[{ rows: shown }]}
      />
      {asks === 'rename' && <Rename turbo={turbo} onClose={close} />}
      {asks === 'disconnect' && link !== undefined && <Disconnect link={link} onClose={close} />}
      {asks === 'forget' && <Forget turbo={turbo} onClose={close} />}
    </>
  );
}
