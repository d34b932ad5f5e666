import { ChevronDown, SearchX, Webhook } from 'lucide-react';
import { Link } from 'wouter';
import { useTimed } from '../../station/time.ts';
import { Button } from '../../ui/Button.tsx';
import button from '../../ui/Button.module.css';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { texts } from '../../ui/texts.ts';
import list from '../developer/RequestList.module.css';
import people from '../people/people.module.css';
import styles from './callbacks.module.css';
import { DeliveryLine } from './DeliveryLine.tsx';
import { FAMILIES, STATES, useDeliveries, type Wanted } from './useDeliveries.ts';

const words = texts.callbacks;
const STATE_CHOICES = STATES.map((id) => ({ id, words: words.states[id] }));

type Props = {
  wanted: Wanted;
  onWanted(wanted: Wanted): void;
  /** The id of the delivery that is open beside it. */
  open: string;
  /** Somebody is told at all; undefined until it is known. */
  hasUrl: boolean | undefined;
};

/** Deliveries, the newest first; they come and go on by themselves. */
export function DeliveryList({ wanted, onWanted, open, hasUrl }: Props) {
  const { newest, entries, isEnd, busy, failure, loadOlder } = useDeliveries(wanted);
  const today = useTimed((now) => new Date(now).toDateString());
  const now = Date.parse(today);
  return (
    <div className={people.part}>
      <div className={styles.filter} role="group" aria-label={words.filter}>
        <Segments
          label={words.statesLabel}
          choices={STATE_CHOICES}
          value={wanted.state}
          onChange={(state) => onWanted({ ...wanted, state })}
        />
        <Families family={wanted.family} choose={(family) => onWanted({ ...wanted, family })} />
      </div>
      {newest.failure !== '' && (
        <ErrorState
          title={words.notLoaded}
          body={newest.failure}
          action={<Button onPress={newest.reload}>{words.again}</Button>}
        />
      )}
      {newest.value === undefined && newest.failure === '' && <p className={people.quiet}>{words.loading}</p>}
      {newest.value !== undefined && entries.length === 0 && <Nothing wanted={wanted} hasUrl={hasUrl} />}
      {entries.length > 0 && (
        <>
          <ol className={people.list} aria-label={words.list}>
            {entries.map((delivery) => (
              <li key={delivery.id} className={list.item}>
                <DeliveryLine delivery={delivery} now={now} isOpen={delivery.id === open} />
              </li>
            ))}
          </ol>
          <div className={list.foot}>
            {isEnd && <p className={people.quiet}>{words.end}</p>}
            {!isEnd && (
              <Button busy={busy} onPress={() => void loadOlder()}>
                {busy ? words.loading : words.older}
              </Button>
            )}
            <p role="alert" className={people.failure}>
              {failure === '' ? '' : `${words.olderFailed} ${failure}`}
            </p>
          </div>
        </>
      )}
    </div>
  );
}

function Families({ family, choose }: { family: Wanted['family']; choose(family: Wanted['family']): void }) {
  return (
    <Menu
      label={words.familiesLabel}
      trigger={
        <Button aria-label={`${words.familiesLabel}: ${words.families[family]}`}>
          {words.families[family]}
          <ChevronDown size={14} aria-hidden="true" />
        </Button>
      }
      groups={[
        {
          chosen: family,
          rows: FAMILIES.map((id) => ({ id, words: words.families[id], run: () => choose(id) })),
        },
      ]}
    />
  );
}

/** Why there is nothing, and the first step. */
function Nothing({ wanted, hasUrl }: Pick<Props, 'wanted' | 'hasUrl'>) {
  if (wanted.state !== 'all' || wanted.family !== 'all') {
    return <EmptyState picture={<SearchX size={32} strokeWidth={1.6} />} {...words.noMatch} />;
  }
  const picture = <Webhook size={32} strokeWidth={1.6} />;
  if (hasUrl !== false) return <EmptyState picture={picture} {...words.none} />;
  return (
    <EmptyState
      picture={picture}
      title={words.noUrl.title}
      body={words.noUrl.body}
      action={
        <Link href="/settings" className={button.button ?? ''} data-look="primary">
          {words.noUrl.settings}
        </Link>
      }
    />
  );
}
