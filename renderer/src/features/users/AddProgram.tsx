import { useState } from 'react';
import type { ApiUserScope, ApiUserSecrets } from '#shared/api/access.ts';
import { useStationContext } from '../../station/context.ts';
import { LineField } from '../../ui/fields.tsx';
import { texts } from '../../ui/texts.ts';
import { ChoiceList } from '../../ui/ChoiceList.tsx';
import { FormDialog, type FieldProblems } from '../../ui/FormDialog.tsx';

const words = texts.users.program;
const SCOPES = ['read', 'control', 'admin', 'turbo'] as const satisfies ApiUserScope[];
const SCOPE_CHOICES = SCOPES.map((id) => ({ id, ...texts.users.scopes[id] }));

type Props = { onAdded(secrets: ApiUserSecrets): void; onClose(): void };

/** A key for one more program. */
export function AddProgram({ onAdded, onClose }: Props) {
  const { api } = useStationContext();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<ApiUserScope>('control');
  return (
    <FormDialog
      title={words.add}
      submit={words.addSubmit}
      typed={`${scope} ${name}`}
      check={(): FieldProblems => (name.trim() === '' ? { name: words.noName } : {})}
      save={async () => onAdded(await api.addApiUser({ name: name.trim(), scope }))}
      onClose={onClose}
    >
      <LineField
        name="name"
        label={words.name}
        help={words.nameHelp}
        autoComplete="off"
        autoFocus
        value={name}
        onChange={setName}
      />
      <ChoiceList label={words.scope} choices={SCOPE_CHOICES} value={scope} onChange={setScope} />
    </FormDialog>
  );
}
