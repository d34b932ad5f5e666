import { type ReactNode, useState } from 'react';
import type { DeviceRequest } from '#shared/api/device.ts';
import { queryStringPath } from '#shared/api/queryString.ts';
import { pathOf } from '../../station/calls/call.ts';
import { Code, Shells } from '../../kit/code/Code.tsx';
import { curlLine, jsonPost, usualShell } from '../../kit/code/curlLine.ts';
import parts from '../../kit/parts.module.css';
import { Tabs } from '../../kit/menu/Tabs.tsx';
import * as texts from '../../words/texts.ts';
import styles from './AsCode.module.css';

const words = texts.curl;

/** Shows the same request for use in scripts: its body, a shell command, and the address with a query string. */
export function AsCode({ deviceids, request }: { deviceids: readonly string[]; request: DeviceRequest }) {
  const [shell, setShell] = useState(() => usualShell(navigator.platform));
  const [first = ''] = deviceids;
  const isOne = deviceids.length === 1;
  const path = isOne ? pathOf('sendToDevice', { path: { DeviceID: first } }) : '/api/devices/';
  const body = isOne ? request : deviceids.map((deviceid) => ({ deviceid, ...request }));
  const url = `${window.location.origin}${path}`;
  const tabs = [
    {
      id: 'curl',
      word: words.curl,
      content: (
        <Code label={words.label} code={curlLine(shell, jsonPost({ url, body, key: words.key }))} hint={words.keyHint}>
          <Shells shell={shell} choose={setShell} />
        </Code>
      ),
    },
    {
      id: 'json',
      word: words.json,
      content: (
        <Code label={words.jsonLabel} code={JSON.stringify(body, undefined, 2)} hint={words.jsonHint}>
          <span className={`${parts.cut} ${styles.path}`}>POST {path}</span>
        </Code>
      ),
    },
    {
      id: 'url',
      word: words.url,
      content: isOne ? <Address deviceid={first} request={request} /> : <Quiet>{words.urlOfOne}</Quiet>,
    },
  ];
  return (
    <section className={parts.column1} aria-label={words.title}>
      <h3 className={parts.title}>{words.title}</h3>
      <Tabs label={words.title} tabs={tabs} />
    </section>
  );
}

function Address({ deviceid, request }: { deviceid: string; request: DeviceRequest }) {
  const { path, left_out } = queryStringPath(deviceid, request);
  const leftOut = left_out.length === 0 ? '' : words.leftOut(left_out.join(', '));
  if (path === '') return <Quiet>{words.noUrl}</Quiet>;
  return (
    <Code label={words.urlLabel} code={`${window.location.origin}${path}`} hint={words.urlHint} warning={leftOut}>
      <span className={`${parts.cut} ${styles.path}`}>GET</span>
    </Code>
  );
}

function Quiet({ children }: { children: ReactNode }) {
  return <p className={parts.quiet}>{children}</p>;
}
