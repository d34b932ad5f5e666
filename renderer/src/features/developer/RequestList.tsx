import { CircleOff, SearchX, SquareTerminal } from 'lucide-react';
import { Link, useSearch } from 'wouter';
import type { LoggedRequest, RequestLogQuery } from '#shared/api/requestLog.ts';
import { useStationContext } from '../../station/context.ts';
import { useSettings } from '../../station/useSettings.ts';
import { useDayStart } from '../../station/time.ts';
import { type PagedList, usePagedList } from '../../station/usePagedList.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { useAct } from '../../useAct.ts';
import { Button, ButtonLink } from '../../kit/button/Button.tsx';
import { EmptyState, Failure, NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import lists from '../../kit/list/lists.module.css';
import { exactWords, timeWords } from '../../words/moments.ts';
import { Older } from '../../kit/list/Older.tsx';
import parts from '../../kit/parts.module.css';
import styles from '../../shop/RequestList.module.css';
import { SearchBox } from '../../kit/field/SearchBox.tsx';
import { useChoiceParam, useListSearch } from '../../kit/list/useListParams.ts';
import { Segments } from '../../kit/field/Segments.tsx';
import * as texts from '../../words/texts.ts';
import { outcomeWords, statusText, toneOf } from './requestWords.ts';

const words = texts.developer;
const STATES = ['all', 'failed'] as const;
const SOURCES = ['programs', 'window', 'all'] as const;
const STATE_CHOICES = STATES.map((id) => ({ id, words: words.states[id] }));
const SOURCE_CHOICES = SOURCES.map((id) => ({ id, words: words.sources[id] }));

/**
 * Lists the latest requests, newest first. New requests appear automatically. `open` is the id of the request that is open next to the
 * list.
 */
export function RequestList({ open }: { open: string }) {
  const [state, setState] = useChoiceParam('show', STATES);
  const [source, setSource] = useChoiceParam('from', SOURCES);
  const search = useListSearch();
  const pages = useRequests({ state, source, path: search.value });
  const { newest, entries, isEnd } = pages;
  const now = useDayStart();
  return (
    <div className={parts.column4}>
      <div className={styles.filter} role="group" aria-label={words.filter}>
        <Segments label={words.statesLabel} choices={STATE_CHOICES} value={state} onChange={setState} />
        <Segments label={words.sourcesLabel} choices={SOURCE_CHOICES} value={source} onChange={setSource} />
        <SearchBox
          label={words.search}
          clearLabel={words.clearSearch}
          input={search.input}
          value={search.value}
          onChange={search.onChange}
        />
      </div>
      {newest.status !== 'loaded' && <NotLoaded of={newest} title={words.notLoaded} />}
      {newest.value !== undefined && entries.length === 0 && (
        <Nothing isFiltered={state !== 'all' || !search.isEmpty || source === 'window'} />
      )}
      {entries.length > 0 && (
        <>
          <ol className={lists.list} aria-label={words.list}>
            {entries.map((request) => (
              <li key={request.id} className={styles.item}>
                <RequestLine request={request} now={now} isOpen={request.id === open} />
              </li>
            ))}
          </ol>
          <div className={parts.centered2}>
            <p className={parts.quiet}>{isEnd ? `${words.end} ${words.kept}` : words.kept}</p>
            <Older pages={pages} failed={words.olderFailed} />
          </div>
        </>
      )}
    </div>
  );
}

/** Explains why the list is empty, and suggests a first step. */
function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const { api } = useStationContext();
  const settings = useSettings();
  const turnOn = useAct(async () => {
    await api.changeSettings({ request_log: true });
    settings.reload();
  }, words.off.failed);
  if (settings.value?.request_log === false) {
    return (
      <EmptyState
        picture={<CircleOff size={32} strokeWidth={1.6} />}
        title={words.off.title}
        body={
          <>
            <p>{words.off.body}</p>
            <Failure>{turnOn.status === 'failed' && turnOn.failure}</Failure>
          </>
        }
        action={<Button words={words.off.turnOn} look="primary" busy={turnOn.busy} onPress={() => turnOn.run()} />}
      />
    );
  }
  return isFiltered ? (
    <EmptyState picture={<SearchX size={32} strokeWidth={1.6} />} {...words.noMatch} />
  ) : (
    <EmptyState
      picture={<SquareTerminal size={32} strokeWidth={1.6} />}
      {...words.none}
      action={<ButtonLink words={words.call.title} to="/connections/developer/call" look="plain" />}
    />
  );
}

/** One request: its result, method and path, caller and time. */
function RequestLine({ request, now, isOpen }: { request: LoggedRequest; now: number; isOpen: boolean }) {
  const { id, at, method, path, by, status, ms } = request;
  const when = Date.parse(at);
  const outcome = outcomeWords(request);
  const query = useSearch();
  return (
    <Link
      // Keep the filters in the link's address.
      href={`/connections/developer/${id}${query === '' ? '' : `?${query}`}`}
      className={styles.line ?? ''}
      aria-current={isOpen ? 'true' : undefined}
    >
      <span className={styles.status} data-tone={toneOf(status)}>
        {statusText(status)}
      </span>
      <span className={styles.what}>
        <span className={`${parts.clip} ${styles.path}`}>
          <span className={parts.strong}>{method}</span> {path}
        </span>
        <span className={parts.cut}>
          {by === '' ? words.nobody : by}
          {outcome !== '' && ` · ${outcome}`}
        </span>
      </span>
      <span className={styles.when}>
        <time dateTime={at} title={exactWords(when)}>
          {timeWords(when, now)}
        </time>
        <span className={parts.cut}>{words.ms(ms)}</span>
      </span>
    </Link>
  );
}

const PAGE = 100;
/** Polling interval in milliseconds. */
const EVERY_MS = 2_000;

type RequestFilter = { state: (typeof STATES)[number]; source: (typeof SOURCES)[number]; path: string };

/** Returns the latest API requests. They are polled while the page is visible. */
function useRequests(wanted: RequestFilter): PagedList<LoggedRequest> {
  const { api } = useStationContext();
  const query = queryOf(wanted);
  const newest = useStationQuery(['requests', JSON.stringify(query)], () => api.listRequests({ query }), {
    everyMs: EVERY_MS,
  });
  return usePagedList(newest, {
    of: JSON.stringify(query),
    size: PAGE,
    load: (after) => api.listRequests({ query: { ...query, after } }),
  });
}

function queryOf({ state, source, path }: RequestFilter): RequestLogQuery {
  return {
    limit: PAGE,
    ...(state === 'failed' ? { status: 'failed' } : {}),
    ...(source === 'all' ? {} : { from: source }),
    ...(path.trim() === '' ? {} : { path: path.trim() }),
  };
}
