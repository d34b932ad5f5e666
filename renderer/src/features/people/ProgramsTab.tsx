import { KeyRound, Plus } from 'lucide-react';
import { useId, useState } from 'react';
import type { ApiUser, ApiUserScope, ApiUserSecrets } from '#shared/api/access.ts';
import { useTask } from '../../station/addresses.ts';
import { useStationContext } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import { Button } from '../../kit/button/Button.tsx';
import { ChoiceList } from '../../kit/field/ChoiceList.tsx';
import { CopyLine } from '../../kit/button/CopyLine.tsx';
import { usualShell } from '../../kit/code/curlLine.ts';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import { EmptyState } from '../../kit/feedback/EmptyState.tsx';
import { LineField, useForm } from '../../kit/field/fields.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import type { FieldMessages } from '../../kit/field/fieldProblems.ts';
import styles from '../../kit/list/lists.module.css';
import { Moment } from '../../shop/Moment.tsx';
import { untilWords } from '../../words/moments.ts';
import { usePaletteActions } from '../../shop/paletteActions.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import { ListPart, Rows, ShownOnce, useList } from '../../shop/ListPart.tsx';

const words = texts.users.program;

type Doing =
  | { kind: 'add' }
  | { kind: 'replace' | 'remove'; user: ApiUser }
  | { kind: 'secrets'; secrets: ApiUserSecrets };

/** Lists programs with their rights, and when their keys were last used. */
export function ProgramsTab() {
  const { api } = useStationContext();
  const loaded = useList('apiUsers', () => api.listApiUsers());
  const [doing, setDoing] = useState<Doing>();
  const add = () => setDoing({ kind: 'add' });
  useTask({ key: add });
  usePaletteActions([{ id: 'addProgram', words: words.add, hint: texts.users.title, run: add }]);

  function close(): void {
    setDoing(undefined);
  }

  function show(secrets: ApiUserSecrets): void {
    setDoing({ kind: 'secrets', secrets });
    loaded.reload();
  }

  function done(): void {
    close();
    loaded.reload();
  }

  const programs = loaded.value ?? [];
  return (
    <ListPart
      lead={words.lead}
      loaded={loaded}
      action={
        <Button look="primary" onPress={add}>
          <Plus size={18} aria-hidden="true" />
          {words.add}
        </Button>
      }
    >
      <Rows
        label={words.list}
        nothing={<EmptyState picture={<KeyRound size={32} strokeWidth={1.6} />} {...words.none} />}
      >
        {programs.map((user) => (
          <ProgramRow key={user.id} user={user} act={(kind) => setDoing({ kind, user })} />
        ))}
      </Rows>
      {doing?.kind === 'add' && <AddProgram onAdded={show} onClose={close} />}
      {doing?.kind === 'replace' && <ReplaceKey user={doing.user} onReplaced={show} onClose={close} />}
      {doing?.kind === 'remove' && <RemoveProgram user={doing.user} onDone={done} onClose={close} />}
      {doing?.kind === 'secrets' && <Secrets secrets={doing.secrets} onDone={close} />}
    </ListPart>
  );
}

function ProgramRow({ user, act }: { user: ApiUser; act(kind: 'replace' | 'remove'): void }) {
  const { name, scope, created, last_used, from_environment, old_key_until } = user;
  const reason = useId();
  const off = from_environment ? { isDisabled: true, 'aria-describedby': reason } : {};
  return (
    <li className={styles.row}>
      <span className={styles.sign} aria-hidden="true">
        <KeyRound size={18} strokeWidth={1.8} />
      </span>
      <p className={styles.who}>
        <span className={styles.name}>
          {name}
          {from_environment && <span className={`${parts.small} ${styles.badge}`}>{words.fromEnvironment}</span>}
        </span>
        <span className={parts.quiet}>{texts.users.scopes[scope].word}</span>
      </p>
      <p className={styles.facts}>
        <span>{last_used === null ? words.neverUsed : <Moment at={last_used} words={words.used} />}</span>
        <span className={parts.quiet}>
          {old_key_until === null ? <Moment at={created} words={words.made} /> : <OldKey until={old_key_until} />}
        </span>
      </p>
      <div className={styles.do}>
        <Button words={words.replace} {...off} aria-label={words.replaceOf(name)} onPress={() => act('replace')} />
        <Button words={words.remove} {...off} aria-label={words.removeOf(name)} onPress={() => act('remove')} />
      </div>
      {from_environment && (
        <p id={reason} className={styles.reason}>
          {words.environmentReason}
        </p>
      )}
    </li>
  );
}

function OldKey({ until }: { until: string }) {
  const text = useTimed((now) => words.oldUntil(untilWords(Date.parse(until), now)));
  return <span className={parts.care}>{text}</span>;
}

const SCOPES = ['read', 'control', 'admin', 'turbo'] as const satisfies ApiUserScope[];
const SCOPE_CHOICES = SCOPES.map((id) => ({ id, ...texts.users.scopes[id] }));

function AddProgram({ onAdded, onClose }: { onAdded(secrets: ApiUserSecrets): void; onClose(): void }) {
  const { api } = useStationContext();
  const { draft, field } = useForm<{ name: string; scope: ApiUserScope }>({ name: '', scope: 'control' });
  const name = draft.name.trim();
  return (
    <FormDialog
      title={words.add}
      submit={words.addSubmit}
      draft={draft}
      check={(): FieldMessages => (name === '' ? { name: words.noName } : {})}
      save={async () => onAdded(await api.addApiUser({ body: { ...draft, name } }))}
      onClose={onClose}
    >
      <LineField {...field('name')} label={words.name} help={words.nameHelp} autoComplete="off" autoFocus />
      <ChoiceList {...field('scope')} label={words.scope} choices={SCOPE_CHOICES} />
    </FormDialog>
  );
}

/** Grace periods in seconds. They are strings, because they are also the ids of the choices. */
const GRACES = ['0', '3600', '86400', '604800'] as const;
const GRACE_CHOICES = GRACES.map((id) => ({ id, ...words.graces[id] }));

type ReplaceProps = { user: ApiUser; onReplaced(secrets: ApiUserSecrets): void; onClose(): void };

function ReplaceKey({ user: { id, name }, onReplaced, onClose }: ReplaceProps) {
  const { api } = useStationContext();
  const [grace, setGrace] = useState<(typeof GRACES)[number]>('86400');
  return (
    <FormDialog
      title={words.replaceTitle(name)}
      submit={words.replaceSubmit}
      draft={grace}
      save={async () => onReplaced(await api.rotateApiUser({ path: { id }, body: { grace_seconds: Number(grace) } }))}
      onClose={onClose}
    >
      <p>{words.replaceLead}</p>
      <ChoiceList label={words.grace} choices={GRACE_CHOICES} value={grace} onChange={setGrace} />
    </FormDialog>
  );
}

type RemoveProps = { user: ApiUser; onDone(): void; onClose(): void };

function RemoveProgram({ user: { id, name, scope }, onDone, onClose }: RemoveProps) {
  const { api, toasts } = useServices();
  return (
    <ConfirmDialog
      title={words.removeTitle(name)}
      body={scope === 'turbo' ? words.removeTurboBody(name) : words.removeBody(name)}
      confirm={words.removeConfirm}
      danger
      isOpen
      onConfirm={async () => {
        await api.removeApiUser({ path: { id } });
        toasts.show(words.removed(name));
        onDone();
      }}
      onClose={onClose}
    />
  );
}

/** Shows the API key and the client secret, which are shown only once. */
function Secrets({ secrets, onDone }: { secrets: ApiUserSecrets; onDone(): void }) {
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

/** Returns a command line for the usual shell of this machine. Keys contain no characters that need quoting. */
function tryLine(key: string): string {
  const curl = usualShell(navigator.platform) === 'powershell' ? 'curl.exe' : 'curl';
  return `${curl} -H "API-KEY: ${key}" "${window.location.origin}/api/device/"`;
}
