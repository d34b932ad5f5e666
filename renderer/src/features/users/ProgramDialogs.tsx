import { useState } from 'react';
import type { ApiUser, ApiUserSecrets } from '#shared/api/access.ts';
import { useStationContext } from '../../station/context.ts';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';
import { usualShell } from '../../ui/curlLine.ts';
import { ChoiceList } from '../../ui/ChoiceList.tsx';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { ShownOnce } from './ShownOnce.tsx';

const words = texts.users.program;

/** Seconds, as the choice has them. */
const GRACES = ['0', '3600', '86400', '604800'] as const;
const GRACE_CHOICES = GRACES.map((id) => ({ id, ...words.graces[id] }));

type ReplaceProps = { user: ApiUser; onReplaced(secrets: ApiUserSecrets): void; onClose(): void };

export function ReplaceKey({ user: { id, name }, onReplaced, onClose }: ReplaceProps) {
  const { api } = useStationContext();
  const [grace, setGrace] = useState<(typeof GRACES)[number]>('86400');
  return (
    <FormDialog
      title={words.replaceTitle(name)}
      submit={words.replaceSubmit}
      typed={grace}
      save={async () => onReplaced(await api.rotateApiUser(id, Number(grace)))}
      onClose={onClose}
    >
      <p>{words.replaceLead}</p>
      <ChoiceList label={words.grace} choices={GRACE_CHOICES} value={grace} onChange={setGrace} />
    </FormDialog>
  );
}

type RemoveProps = { user: ApiUser; onDone(): void; onClose(): void };

export function RemoveProgram({ user: { id, name, scope }, onDone, onClose }: RemoveProps) {
  const { api } = useStationContext();
  const toasts = useToasts();
  return (
    <ConfirmDialog
      title={words.removeTitle(name)}
      body={scope === 'turbo' ? words.removeTurboBody(name) : words.removeBody(name)}
      confirm={words.removeConfirm}
      danger
      isOpen
      onConfirm={async () => {
        await api.removeApiUser(id);
        toasts.say(words.removed(name));
        onDone();
      }}
      onClose={onClose}
    />
  );
}

/** Key and client secret, this once. */
export function Secrets({ secrets, onDone }: { secrets: ApiUserSecrets; onDone(): void }) {
  const { name, scope, api_key, client_id, client_secret } = secrets;
  const { secrets: said } = texts.users;
  const isTurbo = scope === 'turbo';
  return (
    <ShownOnce title={said.title(name)} lead={said.lead} done={said.done} onDone={onDone}>
      <CopyLine label={said.apiKey} help={isTurbo ? said.apiKeyOfTurbo : said.apiKeyHelp} value={api_key} />
      <CopyLine label={said.clientId} help={said.clientHelp} value={client_id} />
      <CopyLine label={said.clientSecret} help={said.clientHelp} value={client_secret} />
      {!isTurbo && <CopyLine label={said.tryIt} help={said.tryItHelp} value={tryLine(api_key)} />}
    </ShownOnce>
  );
}

/** Pasted into any shell as it stands: a key has no sign that one of them reads in a way of its own. */
function tryLine(key: string): string {
  const curl = usualShell(navigator.platform) === 'powershell' ? 'curl.exe' : 'curl';
  return `${curl} -H "API-KEY: ${key}" "${window.location.origin}/api/device/"`;
}
