import { Ellipsis, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import type { CallbackReceiverEntry } from '#shared/api/callbackReceiver.ts';
import { CALLBACK_FAMILIES, DEFAULT_CALLBACK_FAMILIES } from '#shared/lib/connections/callbackFamilies.ts';
import { useStationContext } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button } from '../../kit/button/Button.tsx';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import { dotted } from '../../words/dotted.ts';
import { LoadFailure } from '../../kit/feedback/EmptyState.tsx';
import { changesIn } from '../../kit/field/drafts.ts';
import { LineField, SwitchField, useForm } from '../../kit/field/fields.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import type { FieldMessages } from '../../kit/field/fieldProblems.ts';
import { Menu, menuOf } from '../../kit/menu/Menu.tsx';
import { Moment } from '../../shop/Moment.tsx';
import { untilWords } from '../../words/moments.ts';
import parts from '../../kit/parts.module.css';
import view from '../../shop/RequestView.module.css';
import { SecretField } from '../../kit/field/SecretField.tsx';
import { Segments } from '../../kit/field/Segments.tsx';
import { StateTag, type Tone } from '../../kit/feedback/StateTag.tsx';
import * as texts from '../../words/texts.ts';
import { useAttempt, useServices } from '../../shop/toasts.ts';
import styles from './callbacks.module.css';

const words = texts.callbacks.further;

type Sending = 'on' | 'paused';
const SENDING = [
  { id: 'on', words: words.sending },
  { id: 'paused', words: words.paused },
] as const satisfies { id: Sending; words: string }[];

type Doing = { kind: 'add' } | { kind: 'edit' | 'remove'; receiver: CallbackReceiverEntry };

/** Lists the additional receivers: which callbacks each one receives, and whether it works. */
export function Receivers() {
  const { api } = useStationContext();
  const receivers = useStationQuery(['callbackReceivers'], () => api.listCallbackReceivers());
  const { value, reload } = receivers;
  const [doing, setDoing] = useState<Doing>();

  function done(): void {
    setDoing(undefined);
    reload();
  }

  return (
    <section className={`${parts.column2} ${view.part}`} aria-label={words.title}>
      <h2 className={parts.title}>{words.title}</h2>
      <p className={parts.quiet}>{words.lead}</p>
      {value === undefined && <LoadFailure of={receivers} failed={words.notLoaded} />}
      {value !== undefined && value.length === 0 && <p className={parts.quiet}>{words.none}</p>}
      {value !== undefined && value.length > 0 && (
        <ul className={parts.column2} aria-label={words.list}>
          {value.map((receiver) => (
            <ReceiverRow
              key={receiver.id}
              receiver={receiver}
              changed={reload}
              act={(kind) => setDoing({ kind, receiver })}
            />
          ))}
        </ul>
      )}
      <p>
        <Button onPress={() => setDoing({ kind: 'add' })}>
          <Plus size={18} aria-hidden="true" />
          {words.add}
        </Button>
      </p>
      {doing?.kind === 'add' && <EditReceiver receiver={undefined} onDone={done} onClose={() => setDoing(undefined)} />}
      {doing?.kind === 'edit' && (
        <EditReceiver receiver={doing.receiver} onDone={done} onClose={() => setDoing(undefined)} />
      )}
      {doing?.kind === 'remove' && (
        <RemoveReceiver receiver={doing.receiver} onDone={done} onClose={() => setDoing(undefined)} />
      )}
    </section>
  );
}

type RowProps = { receiver: CallbackReceiverEntry; changed(): void; act(kind: 'edit' | 'remove'): void };

function ReceiverRow({ receiver, changed, act }: RowProps) {
  const { api, toasts } = useServices();
  const { id, name, url, families, paused, waiting, failed, last } = receiver;
  const events = CALLBACK_FAMILIES.filter((family) => families[family]).map(
    (family) => texts.callbacks.families[family],
  );
  /** The state that the person chose, which is shown until the list is loaded again. */
  const [choice, setChoice] = useState<{ paused: boolean; of: CallbackReceiverEntry }>();
  const isPaused = choice?.of === receiver ? choice.paused : paused;
  /** Resolves once earlier choices have been sent, so that choices are sent one at a time. */
  const sent = useRef(Promise.resolve());
  function send(wanted: Sending): void {
    const change = { paused: wanted === 'paused' };
    if (change.paused === isPaused) return;
    setChoice({ ...change, of: receiver });
    const seen = { ...receiver, paused: isPaused };
    const isSent = sent.current.then(() => api.changeCallbackReceiver({ id, change, seen }));
    sent.current = isSent.then(changed, () => {
      setChoice(undefined);
      changed();
    });
    void toasts.attempt(words.failed, () => isSent);
  }
  const { run: test } = useAttempt(words.notTested, async () => {
    const { error, status, milliseconds } = await api.testCallback({ body: { receiver: id } });
    toasts.show(error === null ? words.tested(name, status, milliseconds) : words.testFailed(error));
  });
  const { run: replay } = useAttempt(words.notReplayed, async () => {
    const { replayed } = await api.replayDeadCallbacks({ body: { state: 'dead', receiver: id } });
    toasts.show(texts.callbacks.replayedAll(replayed));
    changed();
  });
  return (
    <li className={`${parts.card} ${styles.further}`}>
      <div className={styles.furtherHead}>
        <strong className={styles.furtherName}>{name}</strong>
        <State receiver={receiver} />
      </div>
      <p className={styles.url}>{url}</p>
      <p className={parts.quiet}>
        {dotted(
          events.length === 0 ? words.noFamilies : events.join(', '),
          waiting === 0 ? '' : words.waiting(waiting),
          failed === 0 ? '' : words.dead(failed),
        )}
      </p>
      {last !== null && (
        <p className={parts.quiet}>
          <Moment at={last.at} words={words.last(String(last.status ?? words.noAnswer))} />
        </p>
      )}
      {last !== null && last.error !== null && <p className={parts.care}>{last.error}</p>}
      <div className={parts.row}>
        <Button words={words.edit} aria-label={words.editOf(name)} onPress={() => act('edit')} />
        <Segments label={words.sendingTo(name)} choices={SENDING} value={isPaused ? 'paused' : 'on'} onChange={send} />
        <Menu
          label={words.more(name)}
          trigger={
            <Button look="icon" aria-label={words.more(name)}>
              <Ellipsis size={18} aria-hidden="true" />
            </Button>
          }
          groups={menuOf(
            [
              { id: 'test', words: words.test, run: test },
              failed > 0 && { id: 'replay', words: words.replay(failed), run: replay },
            ],
            [{ id: 'remove', words: words.remove, run: () => act('remove') }],
          )}
        />
      </div>
    </li>
  );
}

function State({ receiver }: { receiver: CallbackReceiverEntry }) {
  const said = useTimed((now) => stateWords(receiver, now));
  return <StateTag tone={toneOf(receiver)} words={said} />;
}

function stateWords({ paused, unreadable_secrets, trouble, last }: CallbackReceiverEntry, now: number): string {
  if (paused) return words.paused;
  if (unreadable_secrets.length > 0) return words.unreadable;
  if (trouble !== null) {
    const since = untilWords(Date.parse(trouble.failing_since), now);
    return trouble.status === null ? words.silent(since) : words.refusing(since, trouble.status);
  }
  if (last === null) return words.untried;
  return last.error === null ? words.ok : words.retrying;
}

function toneOf({ paused, unreadable_secrets, trouble, last }: CallbackReceiverEntry): Tone {
  if (paused) return 'off';
  if (unreadable_secrets.length > 0 || trouble !== null) return 'halted';
  if (last === null) return 'open';
  return last.error === null ? 'done' : 'care';
}

type DialogProps = { onDone(): void; onClose(): void };

/** The dialog for a new receiver, or for changes to an existing one. */
function EditReceiver({ receiver, onDone, onClose }: DialogProps & { receiver: CallbackReceiverEntry | undefined }) {
  const { api, toasts } = useServices();
  const form = useForm({
    name: receiver?.name ?? '',
    url: receiver?.url ?? '',
    families: receiver?.families ?? DEFAULT_CALLBACK_FAMILIES,
    api_key: undefined as string | null | undefined,
    signing_secret: undefined as string | null | undefined,
  });
  const { draft, set, field } = form;
  const secretOf = (name: 'api_key' | 'signing_secret') => ({
    isSet: receiver?.[`${name}_set`] ?? false,
    isUnreadable: receiver?.unreadable_secrets.includes(name) ?? false,
  });

  async function save(): Promise<void> {
    const { name, url, families, api_key, signing_secret } = draft;
    const wanted = { name: name.trim(), url: url.trim(), families };
    const secrets = {
      ...(api_key === undefined ? {} : { api_key }),
      ...(signing_secret === undefined ? {} : { signing_secret }),
    };
    const change = { ...changesIn(wanted, form), ...secrets };
    let warnings: readonly string[] | undefined;
    if (receiver === undefined)
      ({ warnings } = await api.addCallbackReceiver({ body: { ...wanted, ...secrets, paused: false } }));
    else if (Object.keys(change).length > 0)
      ({ warnings } = await api.changeCallbackReceiver({ id: receiver.id, change, seen: receiver }));
    toasts.show([receiver === undefined ? words.added(wanted.name) : words.saved, ...(warnings ?? [])].join(' '));
    onDone();
  }

  const check = (): FieldMessages => ({
    ...(draft.name.trim() === '' ? { name: words.noName } : {}),
    ...(draft.url.trim() === '' ? { url: words.noUrl } : {}),
  });

  return (
    <FormDialog
      title={receiver === undefined ? words.add : words.editTitle(receiver.name)}
      submit={receiver === undefined ? words.add : words.save}
      draft={draft}
      check={check}
      save={save}
      onClose={onClose}
    >
      <LineField {...field('name')} label={words.name} autoComplete="off" autoFocus />
      <LineField {...field('url')} label={words.url} help={words.urlHelp} placeholder="https://" />
      <fieldset className={styles.choices}>
        <legend className={parts.medium}>{words.families}</legend>
        {CALLBACK_FAMILIES.map((family) => (
          <SwitchField
            key={family}
            label={texts.settings.callbacks.family[family]}
            value={draft.families[family]}
            onChange={(on) => set({ families: { ...draft.families, [family]: on } })}
          />
        ))}
      </fieldset>
      <SecretField {...field('api_key')} label={words.apiKey} help={words.apiKeyHelp} {...secretOf('api_key')} />
      <SecretField
        {...field('signing_secret')}
        label={words.signing}
        help={words.signingHelp}
        {...secretOf('signing_secret')}
      />
    </FormDialog>
  );
}

function RemoveReceiver({ receiver, onDone, onClose }: DialogProps & { receiver: CallbackReceiverEntry }) {
  const { api, toasts } = useServices();
  return (
    <ConfirmDialog
      title={words.removeTitle(receiver.name)}
      body={words.removeBody(receiver.waiting)}
      confirm={words.remove}
      danger
      isOpen
      onConfirm={async () => {
        await api.removeCallbackReceiver(receiver.id, receiver);
        toasts.show(words.removed);
        onDone();
      }}
      onClose={onClose}
    />
  );
}
