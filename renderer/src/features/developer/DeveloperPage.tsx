import { BookOpen, ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { LoggedBody, LoggedExchange } from '#shared/api/requestLog.ts';
import { ButtonLink } from '../../kit/button/Button.tsx';
import { pathOf } from '../../station/calls/call.ts';
import { useRight, useStationContext, useStationState } from '../../station/context.ts';
import button from '../../kit/button/Button.module.css';
import { Code, prettyJson, Shells } from '../../kit/code/Code.tsx';
import { CopyLine } from '../../kit/button/CopyLine.tsx';
import { type Ask, curlLine, jsonPost, usualShell } from '../../kit/code/curlLine.ts';
import { AdminOnly, PageHeader } from '../../kit/page/PageHeader.tsx';
import lists from '../../kit/list/lists.module.css';
import layout from '../../kit/page/Page.module.css';
import parts from '../../kit/parts.module.css';
import view from '../../shop/RequestView.module.css';
import * as texts from '../../words/texts.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import { exactWords } from '../../words/moments.ts';
import list from '../../shop/RequestList.module.css';
import { dotted } from '../../words/dotted.ts';
import styles from './DeveloperPage.module.css';
import { RequestList } from './RequestList.tsx';
import { askOf, outcomeWords, statusText, toneOf } from './requestWords.ts';

const words = texts.developer;
const CALL = '/connections/developer/call';

/** The Developer page, which shows how to call the API, and the request log. */
export function DeveloperPage() {
  const isAdmin = useRight('diagnose');
  return (
    <div className={layout.page}>
      <PageHeader title={words.title} note={isAdmin ? words.note : undefined}>
        {isAdmin && (
          <ButtonLink to={CALL} look="plain">
            <BookOpen size={16} strokeWidth={1.8} aria-hidden="true" />
            {words.call.title}
          </ButtonLink>
        )}
      </PageHeader>
      <main className={styles.content}>{isAdmin ? <Log /> : <AdminOnly {...words.adminOnly} />}</main>
    </div>
  );
}

/** The request log, with the open request next to it. A narrow window shows only one of the two. */
function Log() {
  const [path] = useLocation();
  const query = useSearch();
  const [, open = ''] = /^\/connections\/developer\/([^/]+)/.exec(path) ?? [];
  const isCall = open === '' || path.startsWith(CALL);
  return (
    <div className={styles.columns} data-open={open !== '' || undefined}>
      <div className={styles.list}>
        <RequestList open={open} />
      </div>
      <div className={styles.pane}>
        {open !== '' && (
          <ButtonLink
            words={words.open.back}
            to={`/connections/developer${query === '' ? '' : `?${query}`}`}
            className={styles.back ?? ''}
            look="plain"
          />
        )}
        {isCall ? <HowToCall /> : <RequestView key={open} id={open} />}
      </div>
    </div>
  );
}

const howToCallWords = texts.developer.call;

const DOCUMENTS = [
  { id: 'devices', path: '/devices/openapi.json' },
  { id: 'location-aliases', path: '/location-aliases/openapi.json' },
  { id: 'sequence', path: '/sequence/openapi.json' },
  { id: 'orders', path: '/orders/openapi.json' },
  { id: 'whole', path: '/api/openapi.json' },
] as const;

/** Explains how to make the first API call. */
function HowToCall() {
  const [shell, setShell] = useState(() => usualShell(navigator.platform));
  const device = useStationState(({ station }) => station?.devices[0]?.deviceid);
  return (
    <div className={parts.column5}>
      <h2 className={styles.title}>{howToCallWords.title}</h2>
      <CopyLine label={howToCallWords.base} help={howToCallWords.baseHelp} value={`${window.location.origin}/api/`} />
      <section className={`${parts.stack1} ${view.part}`}>
        <h3 className={parts.title}>{howToCallWords.key}</h3>
        <p className={parts.quiet}>{howToCallWords.keyBody}</p>
        <p>
          <ButtonLink words={howToCallWords.keys} to="/connections/programs" look="plain" />
        </p>
      </section>
      <section className={`${parts.stack1} ${view.part}`}>
        <h3 className={parts.title}>{howToCallWords.first}</h3>
        <Code
          label={howToCallWords.firstLabel}
          code={curlLine(shell, firstAsk(device))}
          hint={texts.developer.open.keyHint}
        >
          <Shells shell={shell} choose={setShell} />
        </Code>
      </section>
      <section className={`${parts.stack1} ${view.part}`}>
        <h3 className={parts.title}>{howToCallWords.reference}</h3>
        <p className={parts.quiet}>{howToCallWords.referenceBody}</p>
        <p>
          <a href="/docs/" target="_blank" rel="noreferrer" className={button.button} data-look="plain">
            {howToCallWords.openReference}
            <ExternalLink size={14} aria-hidden="true" />
          </a>
        </p>
      </section>
      <section className={`${parts.stack1} ${view.part}`}>
        <h3 className={parts.title}>{howToCallWords.documents}</h3>
        <p className={parts.quiet}>{howToCallWords.documentsBody}</p>
        <ul className={lists.list}>
          {DOCUMENTS.map(({ id, path }) => (
            <li key={id} className={styles.document}>
              <a href={path} target="_blank" rel="noreferrer" className={styles.link}>
                <span>{howToCallWords.document[id]}</span>
                <code className={styles.path}>{path}</code>
              </a>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** Returns an example request, which lights the device or, without a device, lists devices. */
function firstAsk(device: string | undefined): Ask {
  const { origin } = window.location;
  const { key } = texts.curl;
  if (device === undefined) {
    return { method: 'GET', url: `${origin}/api/device/`, headers: [`API-KEY: ${key}`], body: undefined };
  }
  const body = { line1: 'Hello', color: 'b', seconds: 30 };
  return jsonPost({ url: `${origin}${pathOf('sendToDevice', { path: { DeviceID: device } })}`, body, key });
}

const requestViewWords = texts.developer.open;

/** Shows one request: the caller, the request and the response. */
function RequestView({ id }: { id: string }) {
  const { api } = useStationContext();
  const request = useStationQuery(['request', id], () => api.getRequest({ path: { id } }));
  if (request.value !== undefined) return <Exchange exchange={request.value} />;
  return (
    <NotLoaded
      of={request}
      title={requestViewWords.gone}
      action={<ButtonLink words={requestViewWords.close} to="/connections/developer" look="plain" />}
    />
  );
}

function Exchange({ exchange }: { exchange: LoggedExchange }) {
  const { at, method, path, by, credential, address, status, code, ms, user_agent, request, answer } = exchange;
  const outcome = outcomeWords(exchange);
  return (
    <article className={parts.column5} aria-label={`${method} ${path}`}>
      <header className={parts.stack1}>
        <h2 className={view.title}>
          <span className={parts.strong}>{method}</span> {path}
        </h2>
        <p className={list.status} data-tone={toneOf(status)}>
          {statusText(status)} {outcome !== '' && <span className={parts.medium}>{outcome}</span>}{' '}
          {code !== '' && <code className={view.code}>{code}</code>}
        </p>
      </header>
      <dl className={parts.stack1}>
        <Fact name={requestViewWords.when} value={exactWords(Date.parse(at))} />
        <Fact
          name={requestViewWords.who}
          value={requestViewWords.from(requestViewWords.credentials[credential](by), address)}
        />
        <Fact name={requestViewWords.took} value={texts.developer.ms(ms)} />
        {user_agent !== '' && <Fact name={requestViewWords.program} value={user_agent} />}
      </dl>
      <Body title={requestViewWords.request} body={request} />
      <Body title={requestViewWords.answer} body={answer} />
      <Again exchange={exchange} />
    </article>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className={`${parts.stack2} ${view.fact}`}>
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
    <section className={`${parts.stack1} ${view.part}`} aria-label={title}>
      <h3 className={parts.title}>{title}</h3>
      {kept === 'none' && <p className={parts.quiet}>{requestViewWords.noBody}</p>}
      {text !== null && kept !== 'none' && (
        <Code label={title} code={prettyJson(text)} hint={kept === 'cut' ? requestViewWords.cut(size) : ''}>
          <span className={view.about}>{about}</span>
        </Code>
      )}
      {kept !== 'none' && kept !== 'whole' && kept !== 'cut' && (
        <p className={parts.quiet}>
          {requestViewWords.notKept[kept]} {about}
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
    <section className={`${parts.stack1} ${view.part}`} aria-label={requestViewWords.again}>
      <h3 className={parts.title}>{requestViewWords.again}</h3>
      <Code label={requestViewWords.curlLabel} code={curlLine(isForEveryShell ? shell : 'posix', ask)} hint={hint}>
        {isForEveryShell && <Shells shell={shell} choose={setShell} />}
      </Code>
    </section>
  );
}
