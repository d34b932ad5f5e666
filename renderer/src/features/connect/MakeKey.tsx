import { useState } from 'react';
import type { ApiUserSecrets } from '#shared/api/access.ts';
import { sentenceOf } from '../../station/apiError.ts';
import { useStationContext } from '../../station/context.ts';
import { Button } from '../../ui/Button.tsx';
import { LineField } from '../../ui/fields.tsx';
import { useLeaveGuard } from '../../ui/leaveGuard.tsx';
import { ProblemForm } from '../../ui/ProblemForm.tsx';
import { texts } from '../../ui/texts.ts';
import { CopyLine } from '../../ui/CopyLine.tsx';
import styles from './Connect.module.css';

const words = texts.turbos.network;

type Props = { secrets: ApiUserSecrets | undefined; onMade(secrets: ApiUserSecrets): void };

/** A key that opens nothing but the radio: by name and one press, shown this once. */
export function MakeKey({ secrets, onMade }: Props) {
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
      setProblem(sentenceOf(error, texts.failure.other));
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
      <p className={styles.quiet}>{words.keyLead}</p>
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
          <Button type="submit" look="primary" busy={busy}>
            {busy ? words.making : words.make}
          </Button>
        </div>
      </ProblemForm>
    </>
  );
}
