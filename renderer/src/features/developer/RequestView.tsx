import { ButtonLink } from '../../ui/Button.tsx';
import { useState } from 'react';
import type { LoggedBody, LoggedExchange } from '#shared/api/requestLog.ts';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Code, prettyJson, Shells } from '../../ui/Code.tsx';
import { curlLine, usualShell } from '../../ui/curlLine.ts';
import { ErrorState } from '../../ui/EmptyState.tsx';
import { exactWords } from '../../ui/moments.ts';
import parts from '../../ui/parts.module.css';
import list from '../../ui/RequestList.module.css';
import styles from '../../ui/RequestView.module.css';
import { texts } from '../../ui/texts.ts';
import { askOf, outcomeWords, statusText, toneOf } from './requestWords.ts';
import { dotted } from '../../ui/dotted.ts';

const words = texts.developer.open;

/** One request in full: who sent what, and what came back. */
export function RequestView({ id }: { id: string }) {
  const { api } = useStationContext();
  const { value, failure } = useStationQuery(['request', id], () => api.loadRequest(id));
  if (value !== undefined) return <Exchange exchange={value} />;
  if (failure === '') return <p className={parts.quiet}>{texts.frame.loading}</p>;
  return (
    <ErrorState
      title={words.gone}
      body={failure}
      action={<ButtonLink words={words.close} to="/developer" look="plain" />}
    />
  );
}

function Exchange({ exchange }: { exchange: LoggedExchange }) {
  const { at, method, path, by, credential, address, status, code, ms, user_agent, request, answer } = exchange;
  const outcome = outcomeWords(exchange);
  return (
    <article className={parts.column5} aria-label={`${method} ${path}`}>
      <header className={parts.stack1}>
        <h2 className={styles.title}>
          <span className={parts.strong}>{method}</span> {path}
        </h2>
        <p className={list.status} data-tone={toneOf(status)}>
          {statusText(status)} {outcome !== '' && <span className={parts.medium}>{outcome}</span>}{' '}
          {code !== '' && <code className={styles.code}>{code}</code>}
        </p>
      </header>
      <dl className={parts.stack1}>
        <Fact name={words.when} value={exactWords(Date.parse(at))} />
        <Fact name={words.who} value={words.from(words.credentials[credential](by), address)} />
        <Fact name={words.took} value={texts.developer.ms(ms)} />
        {user_agent !== '' && <Fact name={words.program} value={user_agent} />}
      </dl>
      <Body title={words.request} body={request} />
      <Body title={words.answer} body={answer} />
      <Again exchange={exchange} />
    </article>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className={`${parts.stack2} ${styles.fact}`}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Body({ title, body }: { title: string; body: LoggedBody }) {
  const { kept, text, bytes, content_type: type } = body;
  const size = bytes === null ? '' : texts.developer.bytes(bytes);
  const about = dotted(type.split(';')[0] ?? '', kept === 'none' ? '' : size);
  return (
    <section className={`${parts.stack1} ${styles.part}`} aria-label={title}>
      <h3 className={parts.title}>{title}</h3>
      {kept === 'none' && <p className={parts.quiet}>{words.noBody}</p>}
      {text !== null && kept !== 'none' && (
        <Code label={title} code={prettyJson(text)} hint={kept === 'cut' ? words.cut(size) : ''}>
          <span className={styles.about}>{about}</span>
        </Code>
      )}
      {kept !== 'none' && kept !== 'whole' && kept !== 'cut' && (
        <p className={parts.quiet}>
          {words.notKept[kept]} {about}
        </p>
      )}
    </section>
  );
}

function Again({ exchange }: { exchange: LoggedExchange }) {
  const [shell, setShell] = useState(() => usualShell(navigator.platform));
  const { ask, hint } = askOf(exchange, window.location.origin);
  const isForEveryShell = ask.body === undefined || /json/.test(exchange.request.content_type);
  return (
    <section className={`${parts.stack1} ${styles.part}`} aria-label={words.again}>
      <h3 className={parts.title}>{words.again}</h3>
      <Code label={words.curlLabel} code={curlLine(isForEveryShell ? shell : 'posix', ask)} hint={hint}>
        {isForEveryShell && <Shells shell={shell} choose={setShell} />}
      </Code>
    </section>
  );
}
