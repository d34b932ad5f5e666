import { Search } from 'lucide-react';
import { useState } from 'react';
import type { FoundControllerEntry } from '#shared/api/turbo.ts';
import { sentenceOf } from '../../words/apiError.ts';
import { Button } from '../../kit/button/Button.tsx';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { useServices } from '../toasts.ts';
import styles from './FoundControllers.module.css';

const words = texts.turbos.controller.search;

type Props = {
  kind: FoundControllerEntry['kind'];
  /** Connects the found hardware. Errors are shown here. */
  connect(found: FoundControllerEntry): Promise<void>;
};

/** Searches the network for hardware of a kind and connects what was found. */
export function FoundControllers({ kind, connect }: Props) {
  const { api } = useServices();
  const [found, setFound] = useState<readonly FoundControllerEntry[]>();
  const [failure, setFailure] = useState('');
  /** The action in progress: a search, or the connection to this address. */
  const [busy, setBusy] = useState<'search' | { url: string }>();

  async function run(step: NonNullable<typeof busy>, work: () => Promise<void>): Promise<void> {
    if (busy !== undefined) return;
    setBusy(step);
    setFailure('');
    try {
      await work();
    } catch (error) {
      setFailure(sentenceOf(error));
    } finally {
      setBusy(undefined);
    }
  }

  const search = () =>
    run('search', async () => {
      setFound(undefined);
      const all = await api.findControllers();
      setFound(all.filter((one) => one.kind === kind));
    });

  return (
    <section className={styles.found}>
      <div className={styles.start}>
        <Button icon={Search} busy={busy === 'search'} onPress={() => void search()}>
          {busy === 'search' ? words.searching : words.start}
        </Button>
        <p role="status" className={parts.quiet}>
          {found !== undefined && (found.length === 0 ? words.nothing : words.found(found.length))}
        </p>
      </div>
      {found !== undefined && found.length > 0 && (
        <ul aria-label={words.list} className={styles.list}>
          {found.map((one) => (
            <li key={one.url}>
              <div>
                <strong>{one.name === '' ? hostOf(one.url) : one.name}</strong>
                {one.name !== '' && <span>{hostOf(one.url)}</span>}
              </div>
              {one.linked ? (
                <span>{words.linked}</span>
              ) : (
                <Button
                  aria-label={words.connectTo(one.name === '' ? hostOf(one.url) : one.name)}
                  busy={typeof busy === 'object' && busy.url === one.url}
                  onPress={() => void run({ url: one.url }, () => connect(one))}
                >
                  {words.connect}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <Failure>{failure}</Failure>
    </section>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
