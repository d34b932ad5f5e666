import type { FoldersStatus } from '#shared/api/folders.ts';
import { useStationContext } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { ChoiceField } from '../../kit/field/choiceFields.tsx';
import { fieldsOf, LineField } from '../../kit/field/fields.tsx';
import { agoWords } from '../../words/moments.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import type { GroupFieldsProps } from './SettingsGroup.tsx';

const words = texts.settings.folders;

/** Id of the choice that stands for a null encoding. */
const NO_ENCODING = 'none';

/** Polling interval in milliseconds. The page polls because no event reports new files. */
const LOOK_EVERY_MS = 5_000;

/** Fields for importing orders from files and a sheet, and for result files about completed and aborted orders. */
export function FolderFields({ draft, edit }: GroupFieldsProps) {
  const field = fieldsOf(draft, edit);
  return (
    <>
      <LineField
        {...field('inbox_folder')}
        label={words.inbox}
        help={words.inboxHelp}
        autoComplete="off"
        placeholder="/srv/orders/in"
      />
      <LineField
        {...field('outbox_folder')}
        label={words.outbox}
        help={words.outboxHelp}
        autoComplete="off"
        placeholder="/srv/orders/out"
      />
      <LineField
        {...field('orders_sheet_url')}
        label={words.sheet}
        help={words.sheetHelp}
        autoComplete="off"
        placeholder="https://sheets.example/orders.csv"
      />
      <ChoiceField
        name="file_encoding"
        label={words.encoding}
        help={words.encodingHelp}
        choices={encodingsWith(draft.file_encoding)}
        value={draft.file_encoding ?? NO_ENCODING}
        onChange={(id) => edit({ file_encoding: id === NO_ENCODING ? null : id })}
      />
      <LineField
        name="time_zone"
        label={words.timeZone}
        help={words.timeZoneHelp}
        autoComplete="off"
        placeholder="Europe/Berlin"
        value={draft.time_zone ?? ''}
        onChange={(zone) => edit({ time_zone: zone.trim() === '' ? null : zone.trim() })}
      />
      <FolderStates />
    </>
  );
}

/** Returns the common encodings, plus the current one if it is not among them. */
function encodingsWith(current: string | null) {
  const ids = new Set([NO_ENCODING, 'windows-1252', 'windows-1250', current ?? NO_ENCODING]);
  return [...ids].map((id) => ({ id, text: words.encodings[id] ?? id }));
}

/** Shows the state of the saved folders and of the saved sheet. */
function FolderStates() {
  const { api } = useStationContext();
  const { value: status } = useStationQuery(['folders'], () => api.getFolders(), { everyMs: LOOK_EVERY_MS });
  if (status === undefined) return null;
  const { inbox, outbox, sheet } = status;
  const waits = outbox.waiting > 0;
  return (
    <div className={parts.stack1}>
      <StateLine
        {...inbox}
        name={words.names.inbox}
        isTrouble={inbox.last?.outcome === 'failed'}
        text={(now) => inboxText(inbox.last, now)}
      />
      <StateLine
        {...outbox}
        name={words.names.outbox}
        problem={waits ? words.waiting(outbox.waiting, outbox.problem ?? '') : outbox.problem}
        text={(now) => outboxText(outbox.last, now)}
      />
      <StateLine
        {...sheet}
        name={words.names.sheet}
        isTrouble={sheet.refused !== null}
        text={(now) => sheetText(sheet, now)}
      />
    </div>
  );
}

type LineProps = {
  name: string;
  state: FoldersStatus['inbox']['state'];
  problem: string | null;
  text(now: number): string;
  isTrouble?: boolean;
};

function StateLine({ name, state, problem, text, isTrouble = false }: LineProps) {
  const said = useTimed((now) => problem ?? text(now));
  const isCare = state !== 'off' && (isTrouble || problem !== null);
  return (
    <p className={isCare ? parts.care : parts.quiet}>
      {name}: {state === 'off' ? words.off : said}
    </p>
  );
}

function inboxText(last: FoldersStatus['inbox']['last'], now: number): string {
  if (last === null) return words.watching;
  const { name, at, outcome, kind, orders, problem } = last;
  const ago = agoWords(Date.parse(at), now);
  if (outcome === 'failed') return words.failed(name, ago, problem ?? '');
  return kind === 'orders' ? words.done(name, orders, ago) : words.doneOther(name, ago);
}

function outboxText(last: FoldersStatus['outbox']['last'], now: number): string {
  return last === null ? words.ready : words.written(last.name, agoWords(Date.parse(last.at), now));
}

function sheetText({ last_read: read, orders, refused }: FoldersStatus['sheet'], now: number): string {
  if (read === null) return words.unread;
  const text = words.read(agoWords(Date.parse(read), now), orders);
  return refused === null ? text : `${text} ${words.refused(refused)}`;
}
