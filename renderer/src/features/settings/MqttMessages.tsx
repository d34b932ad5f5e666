import { ArrowDownLeft, ArrowUpRight, Check, Copy } from 'lucide-react';
import { memo, useEffect, useMemo, useState } from 'react';
import type { MqttLogEntry } from '#shared/api/mqtt.ts';
import { useDayStart } from '../../station/time.ts';
import { Button } from '../../kit/button/Button.tsx';
import { Code, prettyJson } from '../../kit/code/Code.tsx';
import { copyText } from '../../kit/button/CopyLine.tsx';
import { LineField } from '../../kit/field/fields.tsx';
import { exactWords, timeWords } from '../../words/moments.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { copiedLines, findMessages, withKeys } from './mqttLog.ts';
import styles from './Mqtt.module.css';

const words = texts.settings.mqtt;
const ARROWS = { in: ArrowDownLeft, out: ArrowUpRight } as const;
/** How long the message "Copied" is shown, in milliseconds. */
const SAID_MS = 2_000;

type Props = {
  /** The messages, newest first. */
  log: readonly MqttLogEntry[];
  /** The common prefix of this station's topics. */
  below: string;
};

/** Lists the latest messages between the station and the broker. */
export const MqttMessages = memo(function MqttMessages({ log, below }: Props) {
  const [search, setSearch] = useState('');
  const found = useMemo(() => findMessages(withKeys(log), search), [log, search]);
  const now = useDayStart();
  return (
    <div className={parts.column2}>
      <h3 className={parts.title}>{words.messages}</h3>
      <p className={`${parts.quiet} ${styles.topics}`}>{words.below(below)}</p>
      {log.length === 0 ? (
        <p className={styles.none}>{words.none}</p>
      ) : (
        <>
          <div className={styles.tools}>
            <LineField
              name="mqtt_filter"
              label={words.filter}
              value={search}
              onChange={setSearch}
              autoComplete="off"
              placeholder={words.filterHint}
            />
            <CopyAll messages={found} />
          </div>
          {search.trim() !== '' && (
            <p role="status" className={parts.figures}>
              {found.length === 0 ? words.noMatch : words.found(found.length, log.length)}
            </p>
          )}
          {found.length > 0 && (
            <ol className={`${parts.card} ${styles.list}`} aria-label={words.list}>
              {found.map(({ key, ...message }) => (
                <MessageRow key={key} {...message} below={below} now={now} />
              ))}
            </ol>
          )}
        </>
      )}
    </div>
  );
});

/** One line of the list, which expands to the whole message. */
const MessageRow = memo(function MessageRow(message: MqttLogEntry & { below: string; now: number }) {
  const { at, direction, topic, payload, problem, below, now } = message;
  const Arrow = ARROWS[direction];
  const moment = Date.parse(at);
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details className={styles.message} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <time dateTime={at} title={exactWords(moment)} className={parts.figures}>
            {timeWords(moment, now)}
          </time>
          <span className={styles.arrow} data-direction={direction} title={words[direction]}>
            <Arrow size={16} aria-hidden="true" />
            <span className="visuallyHidden">{words[direction]}</span>
          </span>
          <span className={styles.topic}>{topic.startsWith(below) ? topic.slice(below.length) : topic}</span>
          <span className={styles.payload}>{payload === '' ? words.empty : payload}</span>
          {problem !== null && <span className={styles.trouble}>{problem}</span>}
        </summary>
        {isOpen && <Whole {...message} />}
      </details>
    </li>
  );
});

function Whole({ topic, payload, bytes, retained }: MqttLogEntry) {
  const isCut = bytes > new Blob([payload]).size;
  return (
    <div className={styles.whole}>
      <Code
        label={words.payload}
        code={isCut ? payload : prettyJson(payload)}
        hint={[isCut ? words.cut(payload.length, bytes) : '', retained ? words.retained : ''].join(' ').trim()}
      >
        <code className={styles.wholeTopic}>{topic}</code>
      </Code>
    </div>
  );
}

function CopyAll({ messages }: { messages: readonly MqttLogEntry[] }) {
  const [said, setSaid] = useState<'copied' | 'refused'>();

  useEffect(() => {
    if (said !== 'copied') return undefined;
    const fading = setTimeout(() => setSaid(undefined), SAID_MS);
    return () => clearTimeout(fading);
  }, [said]);

  async function copy(): Promise<void> {
    setSaid((await copyText(copiedLines(messages))) ? 'copied' : 'refused');
  }

  return (
    <>
      <Button
        icon={said === 'copied' ? Check : Copy}
        words={said === 'copied' ? words.copied : words.copy}
        aria-label={words.copyOf(messages.length)}
        isDisabled={messages.length === 0}
        onPress={() => void copy()}
      />
      <p role="status" className={styles.copied}>
        {said === 'refused' && words.notCopied}
        {said === 'copied' && <span className="visuallyHidden">{words.copied}</span>}
      </p>
    </>
  );
}
