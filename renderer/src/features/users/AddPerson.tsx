import { useState } from 'react';
import type { Role } from '#shared/api/access.ts';
import { useStationContext } from '../../station/context.ts';
import { LineField } from '../../ui/fields.tsx';
import { texts } from '../../ui/texts.ts';
import { ChoiceList } from '../../ui/ChoiceList.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { NewPasswordField, passwordProblem } from './NewPasswordField.tsx';

const words = texts.users.person;

/** The one with less power first. */
const ROLES = ['picker', 'control', 'admin'] as const satisfies Role[];
export const ROLE_CHOICES = ROLES.map((id) => ({ id, ...texts.users.roles[id] }));

/** Somebody with a password that is to be passed on; empty where the admin typed it himself. */
export type Added = { username: string; password: string };

type Props = { onAdded(added: Added): void; onClose(): void };

/** Somebody new. */
export function AddPerson({ onAdded, onClose }: Props) {
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
