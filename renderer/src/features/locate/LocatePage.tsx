import { Lightbulb } from 'lucide-react';
import { useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { LocatedPlace } from '#shared/api/locate.ts';
import { useDevice, useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button } from '../../kit/button/Button.tsx';
import { EmptyState, LoadFailure } from '../../kit/feedback/EmptyState.tsx';
import list from '../../kit/list/ListPage.module.css';
import { PageHeader } from '../../kit/page/PageHeader.tsx';
import parts from '../../kit/parts.module.css';
import { SearchBox, useFindKey } from '../../kit/field/SearchBox.tsx';
import * as texts from '../../words/texts.ts';
import { useAttempt } from '../../shop/toasts.ts';
import styles from './LocatePage.module.css';

const words = texts.locate;

/** Finds the places of an article. Other programs link to `/locate/?q=`, so nothing lights up without a click. */
export function LocatePage() {
  const [params, setParams] = useSearchParams();
  const wanted = (params.get('q') ?? '').trim();
  // A link changes the address, so the key makes the box show the same search as the results.
  return (
    <div className={list.page}>
      <PageHeader title={words.title} note={words.note}>
        <Wanted key={wanted} wanted={wanted} look={(text) => setParams(text === '' ? {} : { q: text })} />
      </PageHeader>
      <main className={list.content}>
        <div className={list.inner}>
          {wanted === '' ? (
            <EmptyState title={words.none.title} body={words.none.body} picture={<Lightbulb size={32} />} />
          ) : (
            <Places key={wanted} wanted={wanted} />
          )}
        </div>
      </main>
    </div>
  );
}

function Wanted({ wanted, look }: { wanted: string; look(text: string): void }) {
  const [typed, setTyped] = useState(wanted);
  const input = useRef<HTMLInputElement>(null);
  useFindKey(input);
  return (
    <SearchBox
      label={words.search}
      clearLabel={words.clear}
      input={input}
      value={typed}
      onChange={setTyped}
      onSubmit={() => look(typed.trim())}
    />
  );
}

function Places({ wanted }: { wanted: string }) {
  const { api } = useStationContext();
  const places = useStationQuery(['locate', wanted], (signal) => api.locate({ query: { q: wanted } }, { signal }));
  const { value } = places;
  if (value === undefined) return <LoadFailure of={places} failed={words.loadFailed} />;
  if (value.length === 0) return <EmptyState title={words.nothing.title(wanted)} body={words.nothing.body} />;
  const isOne = value.length === 1;
  return (
    <div className={parts.column3}>
      {!isOne && <p className={parts.quiet}>{words.found(value.length)}</p>}
      <ul className={list.list}>
        {value.map((place) => (
          <Place
            key={`${place.deviceid} ${place.location}`}
            place={place}
            // With several results, light a device by its place, or by its DeviceID if the place is not unique.
            wanted={isOne ? wanted : isUnique(place, value) ? place.location : place.deviceid}
            isOne={isOne}
          />
        ))}
      </ul>
    </div>
  );
}

const isUnique = ({ location }: LocatedPlace, all: readonly LocatedPlace[]): boolean =>
  all.filter((each) => each.location === location).length === 1;

function Place({ place, wanted, isOne }: { place: LocatedPlace; wanted: string; isOne: boolean }) {
  const { api } = useStationContext();
  const { deviceid, location, article, is_lit: isBusy, order_number: order } = place;
  const [commandId, setCommandId] = useState<string>();
  const { busy, run } = useAttempt(words.failed, async () => {
    const lit = await api.lightLocated({ body: { q: wanted } });
    setCommandId(lit.find((each) => each.deviceid === deviceid)?.command_id ?? undefined);
  });
  const sent = useDevice(deviceid)?.commands.find(({ command_id: id }) => id === commandId);
  const state = sent !== undefined ? words.sent[sent.delivery] : isBusy ? words.busy(order) : '';
  return (
    <li className={`${list.row} ${styles.place}`}>
      <div className={parts.column1}>
        <h2 className={styles.name}>{location}</h2>
        {article !== '' && article !== location && <p>{article}</p>}
        {location !== deviceid && <p className={parts.small}>{deviceid}</p>}
      </div>
      <p role="status" className={parts.medium}>
        {state}
      </p>
      {!isBusy && (
        <Button
          look={isOne ? 'primary' : 'plain'}
          icon={Lightbulb}
          words={words.light}
          aria-label={isOne ? words.light : words.lightAt(location)}
          needs="work"
          busy={busy}
          onPress={run}
        />
      )}
    </li>
  );
}
