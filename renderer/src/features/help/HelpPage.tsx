import { ExternalLink, Scale, ScanBarcode } from 'lucide-react';
import type { Diagnostics } from '#shared/api/diagnostics.ts';
import { useEffect } from 'react';
import { Link } from 'wouter';
import glossary from '../../../../docs/glossary.md?raw';
import button from '../../kit/button/Button.module.css';
import list from '../../kit/list/ListPage.module.css';
import { PageHeader } from '../../kit/page/PageHeader.tsx';
import * as texts from '../../words/texts.ts';
import parts from '../../kit/parts.module.css';
import { useRight, useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { TakeTour } from '../../shop/tour/TakeTour.tsx';
import { type Group, parseGlossary, type TextRun } from './glossary.ts';
import styles from './HelpPage.module.css';
import { HELP_TASKS, type HelpTask } from './tasks.ts';

const words = texts.help;
const GROUPS = parseGlossary(glossary);
const PICTURES = import.meta.glob<string>('../../../../docs/help/*.png', {
  eager: true,
  query: '?url',
  import: 'default',
});
const TAGS = { strong: 'strong', em: 'em', code: 'code' } as const;

/** The Help page: tasks, terms and keyboard shortcuts. Each has an anchor, such as `/help#turbo`. */
export function HelpPage() {
  useEffect(goToAnchor, []);
  return (
    <div className={list.page}>
      <PageHeader title={words.title} note={words.note}>
        <TakeTour />
        <Link href="/scanner" className={button.button} data-look="plain">
          <ScanBarcode size={16} aria-hidden="true" />
          {words.scanner}
        </Link>
        <Link href="/licences" className={button.button} data-look="plain">
          <Scale size={16} aria-hidden="true" />
          {texts.licences.title}
        </Link>
        <a href="/docs/" target="_blank" rel="noreferrer" className={button.button} data-look="plain">
          {words.reference}
          <ExternalLink size={14} aria-hidden="true" />
        </a>
      </PageHeader>
      <main className={list.content}>
        <div className={styles.columns}>
          <Contents />
          <div className={styles.text}>
            <Tasks />
            {GROUPS.map((group) => (
              <Terms key={group.id} group={group} />
            ))}
            <Keyboard />
            <Logs />
          </div>
        </div>
      </main>
    </div>
  );
}

/** Scrolls to the anchor. Browsers do not do this when a link changes the address within the page. */
function goToAnchor(): void {
  const target = document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
  target?.scrollIntoView();
  target?.focus({ preventScroll: true });
}

function Contents() {
  return (
    <nav className={styles.contents} aria-label={words.contents}>
      <ul>
        <li>
          <a href="#tasks">{words.tasks}</a>
          <ul className={styles.terms}>
            {HELP_TASKS.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        </li>
        {GROUPS.map(({ id, title, terms }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
            <ul className={styles.terms}>
              {terms.map((term) => (
                <li key={term.id}>
                  <a href={`#${term.id}`}>{term.words}</a>
                </li>
              ))}
            </ul>
          </li>
        ))}
        <li>
          <a href="#keyboard">{words.keyboard}</a>
        </li>
        <li>
          <a href="#logs">{words.logs}</a>
        </li>
      </ul>
    </nav>
  );
}

function Tasks() {
  return (
    <section aria-labelledby="tasks">
      <h2 id="tasks" tabIndex={-1} className={styles.title}>
        {words.tasks}
      </h2>
      <div className={list.list}>
        {HELP_TASKS.map((task) => (
          <Task key={task.id} task={task} />
        ))}
      </div>
    </section>
  );
}

function Task({ task: { id, title, picture, steps } }: { task: HelpTask }) {
  return (
    <article id={id} tabIndex={-1} className={`${parts.stack2} ${styles.term}`}>
      <h3>{title}</h3>
      <ol className={styles.steps}>
        {steps.map((runs, index) => (
          <li key={index}>{runs.map(runIn)}</li>
        ))}
      </ol>
      <img className={styles.picture} src={PICTURES[`../../../../docs/help/${id}.png`]} alt={picture} loading="lazy" />
    </article>
  );
}

function Terms({ group: { id, title, terms } }: { group: Group }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} tabIndex={-1} className={styles.title}>
        {title}
      </h2>
      <div className={list.list}>
        {terms.map((term) => (
          <article key={term.id} id={term.id} tabIndex={-1} className={`${parts.stack1} ${styles.term}`}>
            <h3>{term.words}</h3>
            {term.paragraphs.map((runs, index) => (
              <p key={index}>{runs.map(runIn)}</p>
            ))}
          </article>
        ))}
      </div>
    </section>
  );
}

function runIn({ kind, text }: TextRun, index: number) {
  if (kind === 'text') return text;
  const Tag = TAGS[kind];
  return <Tag key={index}>{text}</Tag>;
}

function Keyboard() {
  return (
    <section aria-labelledby="keyboard">
      <h2 id="keyboard" tabIndex={-1} className={styles.title}>
        {words.keyboard}
      </h2>
      <dl className={`${list.list} ${styles.keys}`}>
        {words.keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Logs() {
  const mayDiagnose = useRight('diagnose');
  return (
    <section aria-labelledby="logs">
      <h2 id="logs" tabIndex={-1} className={styles.title}>
        {words.logs}
      </h2>
      <div className={list.list}>
        <article id="log-files" className={`${parts.stack1} ${styles.term}`}>
          <p>{words.logsKept}</p>
          {mayDiagnose && <LogFolder />}
          <p>
            {words.logsShown}
            <Link href="/settings#about">{words.logsSettings}</Link>.
          </p>
        </article>
      </div>
    </section>
  );
}

/** Shows the folder of the log files, which is on the station's machine. */
function LogFolder() {
  const { api } = useStationContext();
  const { value } = useStationQuery<Diagnostics>(['diagnostics'], () => api.getDiagnostics());
  if (value === undefined) return null;
  return (
    <p>
      {words.logsFolder}: {value.log_folder === '' ? words.logsOff : <code>{value.log_folder}</code>}
    </p>
  );
}
