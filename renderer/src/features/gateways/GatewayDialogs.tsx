import { ChevronDown, KeyRound, ListX, Pencil, Power, Rows3, Unplug } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Turbo, TurboLink } from '#shared/api/turbo.ts';
import { useRight, useStationContext } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import { LineField, useForm } from '../../kit/field/fields.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { Menu, menuOf } from '../../kit/menu/Menu.tsx';
import * as texts from '../../words/texts.ts';
import { useServices, useToasts } from '../../shop/toasts.ts';
import { EditKey, EditPlaces } from '../../shop/connect/ConnectController.tsx';
import { nameOf } from './gatewayWords.ts';

const words = texts.turbos;

export function Rename({ turbo, onClose }: { turbo: Turbo; onClose(): void }) {
  const { api, toasts } = useServices();
  const { draft, field } = useForm({ name: turbo.name });
  return (
    <FormDialog
      title={words.rename.title(turbo.serial_number)}
      submit={words.rename.save}
      draft={draft}
      save={async () => {
        await api.renameTurbo({ path: { SerialNo: turbo.serial_number }, body: { name: draft.name.trim() } });
        toasts.show(words.rename.done);
        onClose();
      }}
      onClose={onClose}
    >
      <LineField {...field('name')} label={words.rename.name} help={words.rename.help} autoComplete="off" autoFocus />
    </FormDialog>
  );
}

type QuestionProps = {
  words: typeof words.disconnect | typeof words.forget;
  name: string;
  act(): Promise<void>;
  onClose(): void;
};

/** Asks for confirmation before removing a turbo or a port. Shows a message afterwards. */
function Question({ words: { title, body, confirm, done }, name, act, onClose }: QuestionProps) {
  const toasts = useToasts();
  return (
    <ConfirmDialog
      title={title(name)}
      body={body}
      confirm={confirm}
      danger
      isOpen
      onConfirm={async () => {
        await act();
        toasts.show(done(name));
      }}
      onClose={onClose}
    />
  );
}

export function Disconnect({ link: { id, path }, onClose }: { link: TurboLink; onClose(): void }) {
  const { api } = useStationContext();
  return (
    <Question
      words={words.disconnect}
      name={path}
      act={() => api.removeTurboLink({ path: { id } })}
      onClose={onClose}
    />
  );
}

export function Forget({ turbo, onClose }: { turbo: Turbo; onClose(): void }) {
  const { api } = useStationContext();
  const { serial_number: serial } = turbo;
  return (
    <Question
      words={words.forget}
      name={nameOf(turbo)}
      act={() => api.forgetTurbo({ path: { SerialNo: serial } })}
      onClose={onClose}
    />
  );
}

/** A menu with the actions on a turbo, which depend on its connection and state. */
export function ManageTurbo({ turbo, link, isAdmin }: { turbo: Turbo; link: TurboLink | undefined; isAdmin: boolean }) {
  const { api, toasts } = useServices();
  const maySimulate = useRight('simulate');
  const [, navigate] = useLocation();
  const [asks, setAsks] = useState<'rename' | 'places' | 'displayKey' | 'disconnect' | 'forget'>();
  const { serial_number, status, transport } = turbo;
  const isGone = status === 'offline';
  const close = () => setAsks(undefined);

  function switchTo(connected: boolean): void {
    api
      .changeSimulatedTurbo({ path: { SerialNo: serial_number }, body: { connected } })
      .catch((error: unknown) => toasts.fail(words.switchFailed, error));
  }

  const { rename, disconnect, forget } = words;
  const powerWords = isGone ? words.switchOn : words.switchOff;
  const mayPower = transport === 'simulated' && maySimulate;
  const hasKey = isAdmin && transport === 'network';
  const hasLink = isAdmin && link !== undefined;
  const groups = menuOf([
    isAdmin && { id: 'rename', words: rename.action, icon: Pencil, run: () => setAsks('rename') },
    mayPower && { id: 'power', words: powerWords, icon: Power, run: () => switchTo(isGone) },
    hasKey && { id: 'key', words: words.key, icon: KeyRound, run: () => navigate('/connections/programs') },
    hasLink &&
      link.kind === 'wled' && { id: 'places', words: words.controller.edit, icon: Rows3, run: () => setAsks('places') },
    hasLink &&
      link.kind === 'opendisplay' && {
        id: 'displayKey',
        words: words.controller.newKey,
        icon: KeyRound,
        run: () => setAsks('displayKey'),
      },
    hasLink && { id: 'disconnect', words: disconnect.action, icon: Unplug, run: () => setAsks('disconnect') },
    isAdmin && isGone && { id: 'forget', words: forget.action, icon: ListX, run: () => setAsks('forget') },
  ]);
  if (groups.length === 0) return null;
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
        groups={groups}
      />
      {asks === 'rename' && <Rename turbo={turbo} onClose={close} />}
      {asks === 'places' && link !== undefined && <EditPlaces link={link} onClose={close} />}
      {asks === 'displayKey' && link !== undefined && <EditKey link={link} onClose={close} />}
      {asks === 'disconnect' && link !== undefined && <Disconnect link={link} onClose={close} />}
      {asks === 'forget' && <Forget turbo={turbo} onClose={close} />}
    </>
  );
}
