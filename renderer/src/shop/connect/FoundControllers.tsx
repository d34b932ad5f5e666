import { Search } from 'lucide-react';
import { useAct } from '../../useAct.ts';
import { useState } from 'react';
import type { FoundControllerEntry } from '#shared/api/turbo.ts';
import { Button } from '../../kit/button/Button.tsx';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { useServices } from '../toasts.ts';
import styles from './FoundControllers.module.css';

const words = texts.turbos.controller.search;

type Props = {
  kind: FoundControllerEntry['kind'];
  /** Connects the found hardware. The list shows an error if this fails. */
  connect(found: FoundControllerEntry): Promise<void>;
};

/** Searches the network for hardware of a kind, and connects the hardware that the person chooses. */
export function FoundControllers({ kind, connect }: Props) {
  const { api } = useServices();
  const [found, setFound] = useState<readonly FoundControllerEntry[]>();
  /** Searches for hardware, or connects the given hardware. */
  const act = useAct(async (one: FoundControllerEntry | undefined) => {
    if (one !== undefined) return connect(one);
    setFound(undefined);
    const all = await api.findControllers();
    setFound(all.filter((each) => each.kind === kind));
  });
  const run = (one: FoundControllerEntry | undefined) => {
    if (!act.busy) act.run(one);
  };
  const isSearching = act.status === 'running' && act.input === undefined;

  return (
    <section className={styles.found}>
      <div className={styles.start}>
        <Button icon={Search} busy={isSearching} onPress={() => run(undefined)}>
          {isSearching ? words.searching : words.start}
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
                  busy={act.status === 'running' && act.input?.url === one.url}
                  onPress={() => run(one)}
                >
                  {words.connect}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <Failure>{act.status === 'failed' && act.failure}</Failure>
    </section>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
