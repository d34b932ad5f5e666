import { useState } from 'react';
import type { Role, User } from '#shared/api/access.ts';
import { rightsOf } from '#shared/api/rights.ts';
import { useStationContext } from '../../station/context.ts';
import { ChoiceList } from '../../ui/ChoiceList.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { LineField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import parts from '../../ui/parts.module.css';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';
import { NewPasswordField, passwordProblem } from './NewPasswordField.tsx';

const words = texts.users.person;

type Props = {
  user: User;
  isOwn: boolean;
  /** It is done: the list is another. */
  onDone(): void;
  onClose(): void;
};

export function ChangeRole({ user: { username, role: before }, isOwn, onDone, onClose }: Props) {
  const { api, store } = useStationContext();
  const toasts = useToasts();
  const [role, setRole] = useState(before);

  async function save(): Promise<void> {
    if (role !== before) {
      await api.changeUser(username, { role });
      toasts.say(words.roleChanged(username, words.roleWords[role]));
      // At once; the snapshot that follows the change says the rest.
      const { station } = store.getState();
      if (isOwn && station !== null) {
        const rights = rightsOf(role, { pickerRights: [], isTrial: false });
        store.setState({ station: { ...station, user: { ...station.user, scope: role, rights } } });
      }
    }
    onDone();
  }

  return (
    <FormDialog title={words.roleTitle(username)} submit={words.save} typed={role} save={save} onClose={onClose}>
      <ChoiceList label={words.role} choices={ROLE_CHOICES} value={role} onChange={setRole} />
      {isOwn && role !== 'admin' && <p className={parts.careStrong}>{words.ownRole}</p>}
    </FormDialog>
  );
}

type PasswordProps = Omit<Props, 'isOwn' | 'onDone'> & { onDone(added: Added): void };

export function SetPassword({ user: { username }, onDone, onClose }: PasswordProps) {
  const { api } = useStationContext();
  const toasts = useToasts();
  const [password, setPassword] = useState('');
  const [made, setMade] = useState('');

  async function save(): Promise<void> {
    await api.changeUser(username, { password });
    if (password !== made) toasts.say(words.passwordSet(username));
    onDone({ username, password: password === made ? made : '' });
  }

  return (
    <FormDialog
      title={words.passwordTitle(username)}
      submit={words.save}
      typed={password}
      check={() => passwordProblem(password)}
      save={save}
      onClose={onClose}
    >
      <p>{words.passwordLead(username)}</p>
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <NewPasswordField value={password} onChange={setPassword} onMade={setMade} autoFocus />
    </FormDialog>
  );
}

export function EndSessions({ user: { username }, isOwn, onDone, onClose }: Props) {
  const { api } = useStationContext();
  const toasts = useToasts();
  return (
    <ConfirmDialog
      title={isOwn ? words.endOwnTitle : words.endTitle(username)}
      body={isOwn ? words.endOwnBody : words.endBody}
      confirm={words.endConfirm}
      isOpen
      onConfirm={async () => {
        await api.changeUser(username, { end_sessions: true });
        toasts.say(isOwn ? words.endedOwn : words.ended(username));
        onDone();
      }}
      onClose={onClose}
    />
  );
}

export function RemovePerson({ user: { username }, isOwn, onDone, onClose }: Props) {
  const { api } = useStationContext();
  const toasts = useToasts();
  return (
    <ConfirmDialog
      title={words.removeTitle(username)}
      body={isOwn ? words.removeOwnBody : words.removeBody(username)}
      confirm={words.removeConfirm}
      danger
      isOpen
      onConfirm={async () => {
        await api.removeUser(username);
        toasts.say(words.removed(username));
        onDone();
      }}
      onClose={onClose}
    />
  );
}

/** The one with less power first. */
const ROLES = ['picker', 'control', 'admin'] as const satisfies Role[];
const ROLE_CHOICES = ROLES.map((id) => ({ id, ...texts.users.roles[id] }));

/** Somebody with a password that is to be passed on; empty where the admin typed it himself. */
export type Added = { username: string; password: string };

type AddPersonProps = { onAdded(added: Added): void; onClose(): void };

/** Somebody new. */
export function AddPerson({ onAdded, onClose }: AddPersonProps) {
  const { api } = useStationContext();
  const [username, setUsername] = useState('');
  const [role, setRole] = useState<Role>('picker');
  const [password, setPassword] = useState('');
  const [made, setMade] = useState('');

  async function save(): Promise<void> {
    await api.addUser({ username: username.trim(), role, password });
    onAdded({ username: username.trim(), password: password === made ? made : '' });
  }

  return (
    <FormDialog
      title={words.add}
      submit={words.addSubmit}
      typed={`${role} ${username} ${password}`}
      check={() => ({
        ...(username.trim() === '' ? { username: words.noName } : {}),
        ...passwordProblem(password),
      })}
      save={save}
      onClose={onClose}
    >
      <LineField
        name="username"
        label={words.name}
        help={words.nameHelp}
        autoComplete="off"
        autoFocus
        value={username}
        onChange={setUsername}
      />
      <ChoiceList label={words.role} choices={ROLE_CHOICES} value={role} onChange={setRole} />
      <NewPasswordField value={password} onChange={setPassword} onMade={setMade} />
    </FormDialog>
  );
}
