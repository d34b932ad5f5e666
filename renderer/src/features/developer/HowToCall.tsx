import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useStationState } from '../../station/context.ts';
import { devicePath } from '../../station/api.ts';
import button from '../../ui/Button.module.css';
import { texts } from '../../ui/texts.ts';
import { Code, Shells } from '../../ui/Code.tsx';
import { curlLine, jsonPost, usualShell, type Ask } from '../../ui/curlLine.ts';
import { CopyLine } from '../../ui/CopyLine.tsx';
import lists from '../../ui/lists.module.css';
import styles from './HowToCall.module.css';
import view from '../../ui/RequestView.module.css';

const words = texts.developer.call;

const DOCUMENTS = [
  { id: 'devices', path: '/devices/openapi.json' },
  { id: 'location-aliases', path: '/location-aliases/openapi.json' },
  { id: 'sequence', path: '/sequence/openapi.json' },
  { id: 'orders', path: '/orders/openapi.json' },
  { id: 'whole', path: '/api/openapi.json' },
] as const;

/** All that a program's author needs first. */
export function HowToCall() {
  const [shell, setShell] = useState(() => usualShell(navigator.platform));
  const device = useStationState(({ station }) => station?.devices[0]?.deviceid);
  return (
    <div className={view.view}>
      <h2 className={styles.title}>{words.title}</h2>
      <CopyLine label={words.base} help={words.baseHelp} value={`${window.location.origin}/api/`} />
      <section className={view.part}>
        <h3 className={view.name}>{words.key}</h3>
        <p className={lists.quiet}>{words.keyBody}</p>
        <p>
          <Link href="/users/programs" className={button.button ?? ''} data-look="plain">
            {words.keys}
          </Link>
        </p>
      </section>
      <section className={view.part}>
        <h3 className={view.name}>{words.first}</h3>
        <Code label={words.firstLabel} code={curlLine(shell, firstAsk(device))} hint={texts.developer.open.keyHint}>
          <Shells shell={shell} choose={setShell} />
        </Code>
      </section>
      <section className={view.part}>
        <h3 className={view.name}>{words.reference}</h3>
        <p className={lists.quiet}>{words.referenceBody}</p>
        <p>
          <a href="/docs/" target="_blank" rel="noreferrer" className={button.button} data-look="plain">
            {words.openReference}
            <ExternalLink size={14} aria-hidden="true" />
          </a>
        </p>
      </section>
      <section className={view.part}>
        <h3 className={view.name}>{words.documents}</h3>
        <p className={lists.quiet}>{words.documentsBody}</p>
        <ul className={lists.list}>
          {DOCUMENTS.map(({ id, path }) => (
            <li key={id} className={styles.document}>
              <a href={path} target="_blank" rel="noreferrer" className={styles.link}>
                <span>{words.document[id]}</span>
                <code className={styles.path}>{path}</code>
              </a>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** Lights the first device; without one it asks which there are. */
function firstAsk(device: string | undefined): Ask {
  const { origin } = window.location;
  const { key } = texts.curl;
  if (device === undefined) {
    return { method: 'GET', url: `${origin}/api/device/`, headers: [`API-KEY: ${key}`], body: undefined };
  }
  const body = { line1: 'Hello', color: 'b', seconds: 30 };
  return jsonPost({ url: `${origin}${devicePath(device)}`, body, key });
}
