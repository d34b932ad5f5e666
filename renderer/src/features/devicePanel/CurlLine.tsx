import { Check, ChevronDown, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { texts } from '../../ui/texts.ts';
import { copyText } from './copyText.ts';
import { curlLine, SHELLS, usualShell } from './curlLine.ts';
import styles from './CurlLine.module.css';

/** How long "Copied" stays. */
const SAID_MS = 2_000;

type Props = {
  /** Where it is sent, below the station's own address. */
  path: string;
  body: unknown;
};

/** The command line that does the same, to copy into the shell that the person has. */
export function CurlLine({ path, body }: Props) {
  const code = useRef<HTMLElement>(null);
  const [shell, setShell] = useState(() => usualShell(navigator.platform));
  const [said, setSaid] = useState<'copied' | 'byHand'>();
  const line = curlLine(shell, { url: `${window.location.origin}${path}`, body, key: texts.curl.key });

  useEffect(() => {
    if (said === undefined) return undefined;
    const fading = setTimeout(() => setSaid(undefined), SAID_MS);
    return () => clearTimeout(fading);
  }, [said]);

  async function copy(): Promise<void> {
    if (await copyText(line)) return setSaid('copied');
    if (code.current !== null) getSelection()?.selectAllChildren(code.current);
    setSaid('byHand');
  }

  return (
    <section className={styles.place}>
      <div className={styles.head}>
        <h3 className={styles.title}>{texts.curl.title}</h3>
        <span role="status" className={styles.said}>
          {said === 'byHand' ? texts.curl.byHand : ''}
        </span>
        <Menu
          label={texts.curl.shell}
          placement="bottom end"
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
                run: () => setShell(each),
              })),
            },
          ]}
        />
        <Button look="quiet" onPress={() => void copy()}>
          {said === 'copied' ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
          {said === 'copied' ? texts.curl.copied : texts.curl.copy}
        </Button>
      </div>
      <pre className={styles.line} tabIndex={0} role="region" aria-label={texts.curl.label}>
        <code ref={code}>{line}</code>
      </pre>
      <p className={styles.said}>{texts.curl.keyHint}</p>
    </section>
  );
}
