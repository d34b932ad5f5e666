import { CircuitBoard } from 'lucide-react';
import { useState } from 'react';
import type { Board, BoardJob, NewBoard } from '#shared/api/board.ts';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button } from '../../ui/Button.tsx';
import { ChoiceField } from '../../ui/choiceFields.tsx';
import { LineField, SwitchField, useForm } from '../../ui/fields.tsx';
import { type FieldMessages, FormDialog } from '../../ui/FormDialog.tsx';
import parts from '../../ui/parts.module.css';
import { Progress } from '../../ui/Progress.tsx';
import { texts } from '../../ui/texts.ts';
import card from './Card.module.css';

const words = texts.turbos.boards;
/** Somebody who plugs a board in looks at the page. */
const LOOK_EVERY_MS = 3_000;
const ASK_EVERY_MS = 300;

/** Boards with MicroPython that are plugged into the station's machine, and the way to make devices of them. */
export function Boards({ className }: { className: string }) {
  const { api } = useStationContext();
  const [jobs, setJobs] = useState<readonly BoardJob[]>([]);
  const { value: boards = [] } = useStationQuery(['boards'], () => api.loadBoards(), { everyMs: LOOK_EVERY_MS });
  const [chosen, setChosen] = useState<Board>();
  const started = new Set(jobs.map(({ port }) => port));
  const waiting = boards.filter(({ port }) => !started.has(port));
  const drop = (id: string): void => setJobs((all) => all.filter((job) => job.id !== id));
  if (waiting.length + jobs.length === 0) return null;
  return (
    <ul className={className} aria-label={words.list}>
      {waiting.map((board) => (
        <li key={board.port} className={`${parts.column4} ${parts.card} ${card.card}`} aria-label={board.port}>
          <Head title={words.pluggedIn(nameOf(board))} note={board.port} />
          <p>{words.lead}</p>
          <footer className={`${parts.row} ${card.actions}`}>
            <Button look="primary" onPress={() => setChosen(board)}>
              {words.install}
            </Button>
          </footer>
        </li>
      ))}
      {jobs.map((job) => (
        <RunningJob key={job.id} first={job} onClose={() => drop(job.id)} />
      ))}
      {chosen !== undefined && (
        <InstallBoard
          board={chosen}
          onStarted={(job) => setJobs((all) => [...all, job])}
          onClose={() => setChosen(undefined)}
        />
      )}
    </ul>
  );
}

function Head({ title, note }: { title: string; note: string }) {
  return (
    <header className={parts.middle3}>
      <span className={card.sign} aria-hidden="true">
        <CircuitBoard size={20} strokeWidth={1.8} />
      </span>
      <div className={card.title}>
        <h2>{title}</h2>
        <p className={card.status}>{note}</p>
      </div>
    </header>
  );
}

/** How far a board is, until somebody has read how it ended. */
function RunningJob({ first, onClose }: { first: BoardJob; onClose(): void }) {
  const { api } = useStationContext();
  const { value: job = first } = useStationQuery(['boardJob', first.id], () => api.loadBoardJob(first.id), {
    everyMs: (now) => (now === undefined || now.state === 'running' ? ASK_EVERY_MS : false),
  });
  const { state, step, progress, problem, port } = job;
  return (
    <li className={`${parts.column4} ${parts.card} ${card.card}`} aria-label={port}>
      <Head title={words.states[state]} note={port} />
      {state === 'running' ? (
        <Progress
          label={words.steps[step]}
          value={progress}
          max={1}
          said={step === 'writing' || step === 'verifying' ? `${Math.round(progress * 100)} %` : ''}
          onCancel={() => void api.cancelBoardJob(job.id)}
        />
      ) : (
        <>
          <p role={state === 'failed' ? 'alert' : 'status'}>{problem ?? words.done}</p>
          <footer className={`${parts.row} ${card.actions}`}>
            <Button onPress={onClose}>{words.close}</Button>
          </footer>
        </>
      )}
    </li>
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
        onStarted(await api.installBoard(asked));
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
