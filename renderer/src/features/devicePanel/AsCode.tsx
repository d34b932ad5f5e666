import { Check, ChevronDown, Copy } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { DeviceRequest } from '#shared/api/device.ts';
import { queryStringPath } from '#shared/api/queryString.ts';
import { devicePath } from '../../station/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './AsCode.module.css';
import { copyText } from './copyText.ts';
import { curlLine, SHELLS, usualShell, type Shell } from './curlLine.ts';

/** How long "Copied" stays. */
const SAID_MS = 2_000;

type Props = { deviceids: readonly string[]; request: DeviceRequest };

/** The same as a script sends it: the body, a line for the shell, and the address that stands for it. */
export function AsCode({ deviceids, request }: Props) {
  const [shell, setShell] = useState(() => usualShell(navigator.platform));
  const [first = ''] = deviceids;
  const isOne = deviceids.length === 1;
  const path = isOne ? devicePath(first) : '/api/devices/';
  const body = isOne ? request : deviceids.map((deviceid) => ({ deviceid, ...request }));
  const url = `${window.location.origin}${path}`;
  const tabs = [
    {
      id: 'curl',
      word: texts.curl.curl,
      content: (
        <Code
          label={texts.curl.label}
          code={curlLine(shell, { url, body, key: texts.curl.key })}
          hint={texts.curl.keyHint}
        >
          <Shells shell={shell} choose={setShell} />
        </Code>
      ),
    },
    {
      id: 'json',
      word: texts.curl.json,
      content: (
        <Code label={texts.curl.jsonLabel} code={JSON.stringify(body, undefined, 2)} hint={texts.curl.jsonHint}>
          <span className={styles.path}>POST {path}</span>
        </Code>
      ),
    },
    {
      id: 'url',
      word: texts.curl.url,
      content: isOne ? <Address deviceid={first} request={request} /> : <Quiet>{texts.curl.urlOfOne}</Quiet>,
    },
  ];
  return (
    <section className={styles.place} aria-label={texts.curl.title}>
      <h3 className={styles.title}>{texts.curl.title}</h3>
      <Tabs label={texts.curl.title} tabs={tabs} />
    </section>
  );
}

function Address({ deviceid, request }: { deviceid: string; request: DeviceRequest }) {
  const { path, left_out } = queryStringPath(deviceid, request);
  const leftOut = left_out.length === 0 ? '' : texts.curl.leftOut(left_out.join(', '));
  if (path === '') return <Quiet>{texts.curl.noUrl}</Quiet>;
  return (
    <Code
      label={texts.curl.urlLabel}
      code={`${window.location.origin}${path}`}
      hint={texts.curl.urlHint}
      warning={leftOut}
    >
      <span className={styles.path}>GET</span>
    </Code>
  );
}

type CodeProps = {
  /** What it is, for screen readers. */
  label: string;
  code: string;
  hint: string;
  /** What is other than it was asked for. */
  warning?: string;
  /** What stands over it. */
  children?: ReactNode;
};

/** Something to copy. */
function Code({ label, code, hint, warning = '', children }: CodeProps) {
  const shown = useRef<HTMLElement>(null);
  const [said, setSaid] = useState<'copied' | 'byHand'>();

  useEffect(() => {
    if (said === undefined) return undefined;
    const fading = setTimeout(() => setSaid(undefined), SAID_MS);
    return () => clearTimeout(fading);
  }, [said]);

  async function copy(): Promise<void> {
    if (await copyText(code)) return setSaid('copied');
    if (shown.current !== null) getSelection()?.selectAllChildren(shown.current);
    setSaid('byHand');
  }

  return (
    <div className={styles.code}>
      <div className={styles.head}>
        <div className={styles.about}>{children}</div>
        <span role="status" className={styles.quiet}>
          {said === 'byHand' ? texts.curl.byHand : ''}
        </span>
        <Button look="quiet" onPress={() => void copy()}>
          {said === 'copied' ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
          {said === 'copied' ? texts.curl.copied : texts.curl.copy}
        </Button>
      </div>
      <pre className={styles.line} tabIndex={0} role="region" aria-label={label}>
        <code ref={shown}>{code}</code>
      </pre>
      <p role="status" className={styles.warning}>
        {warning}
      </p>
      <Quiet>{hint}</Quiet>
    </div>
  );
}

function Shells({ shell, choose }: { shell: Shell; choose(shell: Shell): void }) {
  return (
    <Menu
      label={texts.curl.shell}
      placement="bottom start"
      trigger={
        <Button look="quiet" aria-label={`${texts.curl.shell}: ${texts.curl.shells[shell]}`}>
          {texts.curl.shells[shell]}
          <ChevronDown size={14} aria-hidden="true" />
        </Button>
      }
      groups={[
        {
          rows: SHELLS.map((each) => ({
            id: each,
            words: texts.curl.shells[each],
            chosen: each === shell,
            run: () => choose(each),
          })),
        },
      ]}
    />
  );
}

function Quiet({ children }: { children: ReactNode }) {
  return <p className={styles.quiet}>{children}</p>;
}
