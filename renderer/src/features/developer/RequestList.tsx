import { CircleOff, SearchX, SquareTerminal } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'wouter';
import button from '../../ui/Button.module.css';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { texts } from '../../ui/texts.ts';
import { useTimed } from '../../station/time.ts';
import lists from '../../ui/lists.module.css';
import { useFindKey } from '../../ui/useFindKey.ts';
import styles from '../../ui/RequestList.module.css';
import { RequestLine } from './RequestLine.tsx';
import { SOURCES, STATES, useRequests, type Wanted } from './useRequests.ts';
import { useSwitch } from './useSwitch.ts';

const words = texts.developer;
const STATE_CHOICES = STATES.map((id) => ({ id, words: words.states[id] }));
const SOURCE_CHOICES = SOURCES.map((id) => ({ id, words: words.sources[id] }));

type Props = {
  wanted: Wanted;
  onWanted(wanted: Wanted): void;
  /** The id of the request that is open beside it. */
  open: string;
};

/** The last requests, newest first; new ones come by themselves. */
export function RequestList({ wanted, onWanted, open }: Props) {
  const { newest, entries, isEnd, busy, failure, loadOlder } = useRequests(wanted);
  const box = useRef<HTMLInputElement>(null);
  useFindKey(box);
  const today = useTimed((now) => new Date(now).toDateString());
  const now = Date.parse(today);
  return (
    <div className={lists.part}>
      <div className={styles.filter} role="group" aria-label={words.filter}>
        <Segments
          label={words.statesLabel}
          choices={STATE_CHOICES}
          value={wanted.state}
          onChange={(state) => onWanted({ ...wanted, state })}
        />
        <Segments
          label={words.sourcesLabel}
          choices={SOURCE_CHOICES}
          value={wanted.source}
          onChange={(source) => onWanted({ ...wanted, source })}
        />
        <SearchBox
          label={words.search}
          clearLabel={words.clearSearch}
          input={box}
          value={wanted.path}
          onChange={(path) => onWanted({ ...wanted, path })}
        />
      </div>
      {newest.failure !== '' && (
        <ErrorState
          title={words.notLoaded}
          body={newest.failure}
          action={<Button onPress={newest.reload}>{words.again}</Button>}
        />
      )}
      {newest.value === undefined && newest.failure === '' && <p className={lists.quiet}>{words.loading}</p>}
      {newest.value !== undefined && entries.length === 0 && <Nothing wanted={wanted} />}
      {entries.length > 0 && (
        <>
          <ol className={lists.list} aria-label={words.list}>
            {entries.map((request) => (
              <li key={request.id} className={styles.item}>
                <RequestLine request={request} now={now} isOpen={request.id === open} />
              </li>
            ))}
          </ol>
          <div className={styles.foot}>
            <p className={lists.quiet}>{isEnd ? `${words.end} ${words.kept}` : words.kept}</p>
            {!isEnd && (
              <Button busy={busy} onPress={() => void loadOlder()}>
                {busy ? words.loading : words.older}
              </Button>
            )}
            <p role="alert" className={lists.failure}>
              {failure === '' ? '' : `${words.olderFailed} ${failure}`}
            </p>
          </div>
        </>
      )}
    </div>
  );
}

/** Why there is nothing, and the first step. */
function Nothing({ wanted }: { wanted: Wanted }) {
  const { isOn, busy, failure, turnOn } = useSwitch();
  if (isOn === false) {
    return (
      <EmptyState
        picture={<CircleOff size={32} strokeWidth={1.6} />}
        title={words.off.title}
        body={
          <>
            <p>{words.off.body}</p>
            <p role="alert" className={lists.failure}>
              {failure === '' ? '' : `${words.off.failed} ${failure}`}
            </p>
          </>
        }
        action={
          <Button look="primary" busy={busy} onPress={() => void turnOn()}>
            {words.off.turnOn}
          </Button>
        }
      />
    );
  }
  const isFiltered = wanted.state !== 'all' || wanted.path.trim() !== '' || wanted.source === 'window';
  return isFiltered ? (
    <EmptyState picture={<SearchX size={32} strokeWidth={1.6} />} {...words.noMatch} />
  ) : (
    <EmptyState
      picture={<SquareTerminal size={32} strokeWidth={1.6} />}
      {...words.none}
      action={
        <Link href="/developer/call" className={button.button ?? ''} data-look="plain">
          {words.call.title}
        </Link>
      }
    />
  );
}
