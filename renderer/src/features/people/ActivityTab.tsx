import {
  Archive,
  Cable,
  ClipboardList,
  Cpu,
  History,
  KeyRound,
  LogIn,
  LogOut,
  MapPin,
  RadioTower,
  SearchX,
  Settings,
  ShieldAlert,
  Tablet,
  Tv,
  UserRound,
} from 'lucide-react';
import { useMemo } from 'react';
import type { AuditEntry } from '#shared/api/access.ts';
import { useStationContext } from '../../station/context.ts';
import { useDayStart } from '../../station/time.ts';
import { shopClock } from '../../words/shopClock.ts';
import { type PagedList, usePagedList } from '../../station/usePagedList.ts';
import { Button } from '../../kit/button/Button.tsx';
import { EmptyState, Failure } from '../../kit/feedback/EmptyState.tsx';
import lists from '../../kit/list/lists.module.css';
import { dayTitle, exactWords } from '../../words/moments.ts';
import parts from '../../kit/parts.module.css';
import { SearchBox } from '../../kit/field/SearchBox.tsx';
import { useChoiceParam, useListSearch } from '../../kit/list/useListParams.ts';
import { Segments } from '../../kit/field/Segments.tsx';
import * as texts from '../../words/texts.ts';
import styles from './ActivityTab.module.css';
import { auditWords, isSignIn } from './auditWords.ts';
import { ListPart, useList } from '../../shop/ListPart.tsx';
import { timeText } from '../../words/formats.ts';

const words = texts.users.activity;

const KINDS = ['all', 'changes', 'signIns'] as const;
type Kind = (typeof KINDS)[number];
const KIND_CHOICES = KINDS.map((id) => ({ id, words: words.kinds[id] }));

/** Icons by the prefix of the action. The first match applies. */
const ICONS = [
  ['session.opened', LogIn],
  ['session.ended', LogOut],
  ['session.refused', ShieldAlert],
  ['right.', ShieldAlert],
  ['password.', UserRound],
  ['user.', UserRound],
  ['kiosk.', Tablet],
  ['screen.', Tv],
  ['apiUser.', KeyRound],
  ['device.', Cpu],
  ['alias', MapPin],
  ['label.', MapPin],
  ['map.', MapPin],
  ['orders.', ClipboardList],
  ['turboLink.', Cable],
  ['turbo.', RadioTower],
  ['backup.', Archive],
] as const;

/** Shows the audit log: who did what, when, and from which address. */
export function ActivityTab() {
  const { newest, entries, isEnd, busy, failure, loadOlder } = useAudit();
  const search = useListSearch();
  const [kind, setKind] = useChoiceParam('show', KINDS);
  const lines = useMemo(() => entries.map((entry) => ({ entry, ...auditWords(entry) })), [entries]);
  const now = useDayStart();
  const found = lines.filter((line) => isOfKind(line.entry, kind) && hasWords(line, search.value));
  const isFiltered = kind !== 'all' || !search.isEmpty;

  return (
    <ListPart
      lead=""
      loaded={newest}
      action={
        <div className={styles.filter}>
          <SearchBox
            label={words.search}
            clearLabel={words.clearSearch}
            input={search.input}
            value={search.value}
            onChange={search.onChange}
          />
          <Segments label={words.kindsLabel} choices={KIND_CHOICES} value={kind} onChange={setKind} />
        </div>
      }
    >
      {found.length === 0 && !isFiltered && (
        <EmptyState picture={<History size={32} strokeWidth={1.6} />} {...words.none} />
      )}
      {found.length === 0 && isFiltered && (
        <EmptyState picture={<SearchX size={32} strokeWidth={1.6} />} {...words.noMatch} />
      )}
      {byDay(found).map((day) => (
        <section key={day[0]?.entry.id} className={`${parts.stack2} ${styles.day}`}>
          <h2>{dayTitle(Date.parse(day[0]?.entry.at ?? ''), now)}</h2>
          <ol className={lists.list} aria-label={words.list}>
            {day.map((line) => (
              <AuditLine key={line.entry.id} {...line} />
            ))}
          </ol>
        </section>
      ))}
      {entries.length > 0 && (
        <div className={parts.centered2}>
          <p className={parts.quiet} role="status">
            {isFiltered && words.searched(entries.length, isEnd)}
            {!isFiltered && isEnd && words.end}
          </p>
          {!isEnd && (
            <Button busy={busy} onPress={loadOlder}>
              {busy ? texts.frame.working : isFiltered ? words.lookFurther : texts.frame.older}
            </Button>
          )}
          <Failure>{failure === '' ? '' : `${words.olderFailed} ${failure}`}</Failure>
        </div>
      )}
    </ListPart>
  );
}

type Line = { entry: AuditEntry; who: string; what: string; where: string };

function AuditLine({ entry: { at, action }, who, what, where }: Line) {
  const [, Icon] = ICONS.find(([begin]) => action.startsWith(begin)) ?? [action, Settings];
  const ms = Date.parse(at);
  return (
    <li className={styles.line} data-quiet={action.startsWith('session.') || undefined}>
      <time className={parts.figures} dateTime={at} title={exactWords(ms)}>
        {timeText('clock', ms)}
      </time>
      <Icon className={styles.icon ?? ''} size={16} strokeWidth={1.8} aria-hidden="true" />
      <p className={styles.what}>
        <span className={`${parts.strong} ${styles.who}`}>{who}</span> {what}
      </p>
      <p className={`${parts.figures} ${styles.where}`}>{where === '' ? '' : words.from(where)}</p>
    </li>
  );
}

function isOfKind(entry: AuditEntry, kind: Kind): boolean {
  return kind === 'all' || isSignIn(entry) === (kind === 'signIns');
}

/** Whether each word of the search occurs in the line's text or address. */
function hasWords({ who, what, where, entry }: Line, search: string): boolean {
  const text = `${who} ${what} ${where} ${entry.address}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Groups lines by day and keeps their order. */
function byDay(lines: readonly Line[]): Line[][] {
  const days: Line[][] = [];
  let day = '';
  for (const line of lines) {
    const its = shopClock().dayOf(Date.parse(line.entry.at));
    if (its === day) days.at(-1)?.push(line);
    else days.push([line]);
    day = its;
  }
  return days;
}

const PAGE = 100;

/** Loads the audit log page by page. */
function useAudit(): PagedList<AuditEntry> {
  const { api } = useStationContext();
  const newest = useList('audit', () => api.listAudit({ query: { limit: PAGE } }));
  return usePagedList(newest, {
    of: 'audit',
    size: PAGE,
    load: (after) => api.listAudit({ query: { limit: PAGE, after } }),
  });
}
