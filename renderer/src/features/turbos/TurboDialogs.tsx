import { useState } from 'react';
import type { Turbo, TurboLink } from '#shared/api/turbo.ts';
import { useStationContext } from '../../station/context.ts';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { LineField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';
import { nameOf } from './joinLinks.ts';

const words = texts.turbos;

export function Rename({ turbo, onClose }: { turbo: Turbo; onClose(): void }) {
  const { api } = useStationContext();
  const toasts = useToasts();
  const [name, setName] = useState(turbo.name);
  return (
    <FormDialog
      title={words.rename.title(turbo.serial_number)}
      submit={words.rename.save}
      typed={name}
      save={async () => {
        await api.renameTurbo(turbo.serial_number, name.trim());
        toasts.say(words.rename.done);
        onClose();
      }}
      onClose={onClose}
    >
      <LineField
        name="name"
        label={words.rename.name}
        help={words.rename.help}
        autoComplete="off"
        autoFocus
        value={name}
        onChange={setName}
      />
    </FormDialog>
  );
}

export function Disconnect({ link: { id, path }, onClose }: { link: TurboLink; onClose(): void }) {
  const { api } = useStationContext();
  const toasts = useToasts();
  return (
    <ConfirmDialog
      title={words.disconnect.title(path)}
      body={words.disconnect.body}
      confirm={words.disconnect.confirm}
      danger
      isOpen
      onConfirm={async () => {
        await api.removeTurboLink(id);
        toasts.say(words.disconnect.done(path));
      }}
      onClose={onClose}
    />
  );
}

export function Forget({ turbo, onClose }: { turbo: Turbo; onClose(): void }) {
  const { api } = useStationContext();
  const toasts = useToasts();
  const name = nameOf(turbo);
  return (
    <ConfirmDialog
      title={words.forget.title(name)}
      body={words.forget.body}
      confirm={words.forget.confirm}
      danger
      isOpen
      onConfirm={async () => {
        await api.forgetTurbo(turbo.serial_number);
        toasts.say(words.forget.done(name));
      }}
      onClose={onClose}
    />
  );
}
