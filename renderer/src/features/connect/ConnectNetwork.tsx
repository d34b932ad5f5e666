import { useState } from 'react';
import { Link } from 'wouter';
import type { ApiUserSecrets } from '#shared/api/access.ts';
import type { TurboNetwork } from '#shared/api/turbo.ts';
import { sentenceOf } from '../../station/apiError.ts';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { LineField } from '../../ui/fields.tsx';
import { useLeaveGuard } from '../../ui/leaveGuard.tsx';
import { Failure } from '../../ui/Failure.tsx';
import parts from '../../ui/parts.module.css';
import { ProblemForm } from '../../ui/ProblemForm.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './Connect.module.css';

const words = texts.turbos.network;

/** What somebody types into a turbo that is to come by the network. */
export function ConnectNetwork({ onClose }: { onClose(): void }) {
  const { api } = useStationContext();
  const { value, failure } = useStationQuery(['turboNetwork'], () => api.loadTurboNetwork());
  const [secrets, setSecrets] = useState<ApiUserSecrets>();
  return (
    <Dialog
      title={words.title}
      isOpen
      size="large"
      // A key that is shown only once is not closed by a click beside it.
      role={secrets === undefined ? 'dialog' : 'alertdialog'}
      onClose={onClose}
      actions={<Button words={words.done} look={secrets === undefined ? 'plain' : 'primary'} onPress={onClose} />}
    >
      <div className={styles.steps}>
        <section className={`${parts.column3} ${styles.step}`}>
          <h3>{words.address}</h3>
          {value !== undefined && <Addresses network={value} />}
          {value === undefined && failure === '' && <p className={parts.quiet}>{texts.frame.loading}</p>}
          <Failure>{failure === '' ? '' : `${words.failed} ${failure}`}</Failure>
        </section>
        <section className={`${parts.column3} ${styles.step}`}>
          <h3>{words.key}</h3>
          <MakeKey secrets={secrets} onMade={setSecrets} />
        </section>
        <section className={`${parts.column3} ${styles.step}`}>
          <h3>{words.last}</h3>
          <p className={parts.quiet}>{words.lastLead}</p>
        </section>
      </div>
    </Dialog>
  );
}

function Addresses({ network }: { network: TurboNetwork }) {
  const { websocket, tcp } = network;
  const obstacle = obstacleOf(network);
  return (
    <>
      {obstacle !== undefined && (
        <p className={styles.note}>
          {obstacle} <Link href="/settings">{words.settings}</Link>
        </p>
      )}
      {websocket.map((address) => (
        <CopyLine key={address} label={words.websocket} value={address} />
      ))}
      {tcp.map((address) => (
        <CopyLine key={address} label={words.tcp} value={address} />
      ))}
    </>
  );
}

/** Why a turbo on another machine would not be let in. */
function obstacleOf({ listens, encrypted, plain_passwords }: TurboNetwork): string | undefined {
  if (listens === 'this_machine') return words.thisMachine;
  return encrypted || plain_passwords ? undefined : words.plain;
}

type Props = { secrets: ApiUserSecrets | undefined; onMade(secrets: ApiUserSecrets): void };

/** A key that opens nothing but the radio: by name and one press, shown this once. */
function MakeKey({ secrets, onMade }: Props) {
  const { api } = useStationContext();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  useLeaveGuard(secrets !== undefined);

  async function make(): Promise<void> {
    if (busy) return;
    if (name.trim() === '') return setProblem(words.noName);
    setBusy(true);
    try {
      onMade(await api.addApiUser({ name: name.trim(), scope: 'turbo' }));
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  if (secrets !== undefined) {
    return (
      <>
        <CopyLine label={words.username} value={secrets.name} />
        <CopyLine label={words.apiKey} help={words.apiKeyHelp} value={secrets.api_key} />
      </>
    );
  }
  return (
    <>
      <p className={parts.quiet}>{words.keyLead}</p>
      <ProblemForm
        problems={problem === '' ? {} : { name: problem }}
        onSubmit={() => void make()}
        aria-label={words.make}
      >
        <div className={styles.make}>
          <LineField
            name="name"
            label={words.name}
            autoComplete="off"
            value={name}
            onChange={(next) => {
              setName(next);
              setProblem('');
            }}
          />
          <Button words={busy ? words.making : words.make} type="submit" look="primary" busy={busy} />
        </div>
      </ProblemForm>
    </>
  );
}
