import { useState } from 'react';
import type { Board, BoardJob, NewBoard } from '#shared/api/board.ts';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button } from '../../kit/button/Button.tsx';
import { ChoiceField } from '../../kit/field/choiceFields.tsx';
import { LineField, SwitchField, useForm } from '../../kit/field/fields.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import type { FieldMessages } from '../../kit/field/fieldProblems.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { BoardHead, BoardJobCard } from './BoardJobCard.tsx';
import { BoardUpdates } from './BoardUpdates.tsx';
import card from './Card.module.css';
import { useBoardJobs } from './useBoardJobs.ts';

const words = texts.turbos.boards;
/** Polling interval in milliseconds. It is short, because the person who connects a board watches the page. */
const LOOK_EVERY_MS = 3_000;
/** Polling interval for updates in milliseconds. Polling notices boards that were just updated or connected. */
const UPDATES_EVERY_MS = 10_000;

/** Shows boards on which the firmware can be installed, and boards with available firmware updates. */
export function Boards({ className }: { className: string }) {
  const { api } = useStationContext();
  const { jobs, add, close } = useBoardJobs();
  const { value: boards = [] } = useStationQuery(['boards'], () => api.listBoards(), { everyMs: LOOK_EVERY_MS });
  const [chosen, setChosen] = useState<Board>();
  const { value: outdated = [] } = useStationQuery(['boardUpdates'], () => api.listBoardUpdates(), {
    everyMs: UPDATES_EVERY_MS,
  });
  const started = new Set(jobs.map(({ port }) => port));
  const updating = new Set(jobs.map(({ turbo }) => turbo));
  const updates = outdated.filter(({ turbo }) => !updating.has(turbo));
  const waiting = boards.filter(({ port }) => !started.has(port));
  if (waiting.length + updates.length + jobs.length === 0) return null;
  return (
    <ul className={className} aria-label={words.list}>
      {waiting.map((board) => (
        <li key={board.port} className={`${parts.column4} ${parts.card} ${card.card}`} aria-label={board.port}>
          <BoardHead title={words.pluggedIn(nameOf(board))} note={board.port} />
          <p>{words.lead}</p>
          <footer className={`${parts.row} ${card.actions}`}>
            <Button look="primary" onPress={() => setChosen(board)}>
              {words.install}
            </Button>
          </footer>
        </li>
      ))}
      {updates.length > 0 && <BoardUpdates updates={updates} onStarted={add} />}
      {jobs.map((job) => (
        <BoardJobCard key={`${job.id} ${job.started}`} first={job} onClose={() => close(job)} />
      ))}
      {chosen !== undefined && (
        <InstallBoard board={chosen} onStarted={(job) => add([job])} onClose={() => setChosen(undefined)} />
      )}
    </ul>
  );
}

type InstallProps = { board: Board; onStarted(job: BoardJob): void; onClose(): void };

function InstallBoard({ board: { port, profiles }, onStarted, onClose }: InstallProps) {
  const { api } = useStationContext();
  const { draft, field } = useForm({
    profile: profiles[0] ?? 'generic',
    name: '',
    byWifi: false,
    ssid: '',
    password: '',
  });
  const { profile, name, byWifi, ssid, password } = draft;
  return (
    <FormDialog
      title={words.title(port)}
      submit={words.start}
      draft={draft}
      check={(): FieldMessages => (byWifi && ssid === '' ? { ssid: words.noWifi } : {})}
      save={async () => {
        const asked: NewBoard = { port, profile, name: name.trim(), ...(byWifi ? { wifi: { ssid, password } } : {}) };
        onStarted(await api.installBoard({ body: asked }));
        onClose();
      }}
      onClose={onClose}
    >
      <ChoiceField
        {...field('profile')}
        label={words.profile}
        choices={profiles.map((id) => ({ id, text: words.profiles[id] }))}
      />
      <LineField {...field('name')} label={words.place} help={words.placeHelp} />
      <SwitchField {...field('byWifi')} label={words.byWifi} help={words.byWifiHelp} />
      {byWifi && (
        <>
          <LineField {...field('ssid')} label={words.wifi} />
          <LineField {...field('password')} label={words.password} help={words.passwordHelp} type="password" />
        </>
      )}
    </FormDialog>
  );
}

function nameOf({ profiles, name }: Board): string {
  const [first] = profiles;
  return first === undefined || first === 'generic' ? name : words.profiles[first];
}
