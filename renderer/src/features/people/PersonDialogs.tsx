import { useState } from 'react';
import type { Role, User } from '#shared/api/access.ts';
import { rightsOf } from '#shared/api/rights.ts';
import { useStationContext } from '../../station/context.ts';
import { ChoiceList } from '../../kit/field/ChoiceList.tsx';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import { LineField, useForm } from '../../kit/field/fields.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import type { FieldMessages } from '../../kit/field/fieldProblems.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import { NewPasswordField, passwordProblem } from './NewPasswordField.tsx';

const words = texts.users.person;
const pinWords = texts.kiosk.pin;

type Props = {
  user: User;
  isOwn: boolean;
  /** Called after success. The list is then reloaded. */
  onDone(): void;
  onClose(): void;
};

export function ChangeRole({ user: { username, role: before }, isOwn, onDone, onClose }: Props) {
  const { api, store, toasts } = useServices();
  const { draft, field } = useForm({ role: before });
  const { role } = draft;
  async function save(): Promise<void> {
    if (role !== before) {
      await api.changeUser({ path: { username }, body: { role } });
      toasts.show(words.roleChanged(username, words.roleWords[role]));
      // Update the store immediately; the next snapshot contains the change, too.
      const { station } = store.getState();
      if (isOwn && station !== null) {
        const rights = rightsOf(role, { pickerRights: [], isTrial: false });
        store.setState({ station: { ...station, user: { ...station.user, scope: role, rights } } });
      }
    }
    onDone();
  }
  return (
    <FormDialog title={words.roleTitle(username)} submit={words.save} draft={draft} save={save} onClose={onClose}>
      <ChoiceList {...field('role')} label={words.role} choices={ROLE_CHOICES} />
      {isOwn && role !== 'admin' && <p className={parts.careStrong}>{words.ownRole}</p>}
    </FormDialog>
  );
}

type PasswordProps = Omit<Props, 'isOwn' | 'onDone'> & { onDone(added: Added): void };

export function SetPassword({ user: { username }, onDone, onClose }: PasswordProps) {
  const { api, toasts } = useServices();
  const { draft, field } = useForm({ password: '' });
  const [made, setMade] = useState('');
  const { password } = draft;
  return (
    <FormDialog
      title={words.passwordTitle(username)}
      submit={words.save}
      draft={draft}
      check={() => passwordProblem(password)}
      save={async () => {
        await api.changeUser({ path: { username }, body: { password } });
        if (password !== made) toasts.show(words.passwordSet(username));
        onDone({ username, password: password === made ? made : '' });
      }}
      onClose={onClose}
    >
      <p>{words.passwordLead(username)}</p>
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <NewPasswordField {...field('password')} onMade={setMade} autoFocus />
    </FormDialog>
  );
}

export function SetPin({ user: { username }, onDone, onClose }: Props) {
  const { api, toasts } = useServices();
  const { draft, field } = useForm({ pin: '' });
  const { pin } = draft;
  return (
    <FormDialog
      title={pinWords.title(username)}
      submit={words.save}
      draft={draft}
      check={(): FieldMessages => (/^\d{4,8}$/.test(pin) ? {} : { pin: pinWords.rule })}
      save={async () => {
        await api.changeUser({ path: { username }, body: { pin } });
        toasts.show(pinWords.saved(username));
        onDone();
      }}
      onClose={onClose}
    >
      <p>{pinWords.lead(username)}</p>
      <LineField
        {...field('pin')}
        label={pinWords.pin}
        help={pinWords.rule}
        type="password"
        inputMode="numeric"
        autoComplete="off"
        autoFocus
      />
    </FormDialog>
  );
}

/** Asks for confirmation before a person is signed out everywhere, loses the PIN, or is removed. */
export function AskAway({
  kind,
  user: { username },
  isOwn,
  onDone,
  onClose,
}: Props & { kind: 'end' | 'remove' | 'removePin' }) {
  const { api, toasts } = useServices();
  const { act, said, ...asked } = {
    end: {
      title: isOwn ? words.endOwnTitle : words.endTitle(username),
      body: isOwn ? words.endOwnBody : words.endBody,
      confirm: words.endConfirm,
      danger: false,
      act: () => api.changeUser({ path: { username }, body: { end_sessions: true } }),
      said: isOwn ? words.endedOwn : words.ended(username),
    },
    removePin: {
      title: pinWords.removeTitle(username),
      body: pinWords.removeBody(username),
      confirm: pinWords.removeConfirm,
      danger: false,
      act: () => api.changeUser({ path: { username }, body: { pin: null } }),
      said: pinWords.removed(username),
    },
    remove: {
      title: words.removeTitle(username),
      body: isOwn ? words.removeOwnBody : words.removeBody(username),
      confirm: words.removeConfirm,
      danger: true,
      act: () => api.removeUser({ path: { username } }),
      said: words.removed(username),
    },
  }[kind];
  async function go(): Promise<void> {
    await act();
    toasts.show(said);
    onDone();
  }
  return <ConfirmDialog {...asked} isOpen onConfirm={go} onClose={onClose} />;
}

/** Roles from the fewest to the most rights. */
const ROLES = ['picker', 'control', 'admin'] as const satisfies Role[];
const ROLE_CHOICES = ROLES.map((id) => ({ id, ...texts.users.roles[id] }));

/** A new person. `password` is the generated password for the admin to pass on, or empty if the admin typed one. */
export type Added = { username: string; password: string };

export function AddPerson({ onAdded, onClose }: { onAdded(added: Added): void; onClose(): void }) {
  const { api } = useStationContext();
  const { draft, field } = useForm<{ username: string; role: Role; password: string }>({
    username: '',
    role: 'picker',
    password: '',
  });
  const [made, setMade] = useState('');
  const { role, password } = draft;
  const username = draft.username.trim();
  return (
    <FormDialog
      title={words.add}
      submit={words.addSubmit}
      draft={draft}
      check={() => ({ ...(username === '' ? { username: words.noName } : {}), ...passwordProblem(password) })}
      save={async () => {
        await api.addUser({ body: { username, role, password } });
        onAdded({ username, password: password === made ? made : '' });
      }}
      onClose={onClose}
    >
      <LineField {...field('username')} label={words.name} help={words.nameHelp} autoComplete="off" autoFocus />
      <ChoiceList {...field('role')} label={words.role} choices={ROLE_CHOICES} />
      <NewPasswordField {...field('password')} onMade={setMade} />
    </FormDialog>
  );
}
