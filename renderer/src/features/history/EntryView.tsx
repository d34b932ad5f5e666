import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { contentWords, ledOf, linesOf } from '../../device/commandWords.ts';
import { LedDot } from '../../device/Led.tsx';
import { originAddress, originWords } from '../../station/addresses.ts';
import { useDevice, useStationContext } from '../../station/context.ts';
import button from '../../ui/Button.module.css';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { texts } from '../../ui/texts.ts';
import { useTimeline } from '../timeline/LoadedTimeline.tsx';
import { CommandTimeline } from '../timeline/CommandTimeline.tsx';
import styles from './EntryView.module.css';
import { type PastFilter, writeFilter } from './pastFilter.ts';

const words = texts.history.open;

/** The timeline of one command, beside the list or, without room, in its place. */
export function EntryView({ commandId, filter }: { commandId: string; filter: PastFilter }) {
  const { api } = useStationContext();
  const { value, failure } = useTimeline(commandId, '', () => api.loadTimeline(commandId));
  const device = useDevice(value?.deviceid ?? '');
  const [, navigate] = useLocation();
  const query = new URLSearchParams(writeFilter(filter)).toString();
  const back = `/history${query === '' ? '' : `?${query}`}`;
  const place = value === undefined ? '' : value.location === '' ? value.deviceid : value.location;
  const heading = useRef<HTMLHeadingElement>(null);
  const close = () => navigate(back);
  useEscape(close);
  const isThere = value !== undefined;
  useEffect(() => {
    // Who came by a row is at the row, and goes on from there where both are in sight.
    if (isThere && window.matchMedia('(max-width: 900px)').matches) heading.current?.focus();
  }, [isThere]);

  return (
    <section className={styles.pane} aria-label={words.label}>
      <div className={styles.close}>
        <Button look="quiet" aria-label={words.close} onPress={close}>
          <X size={18} aria-hidden="true" />
        </Button>
      </div>
      {value === undefined && failure === '' && <p className={styles.quiet}>{texts.why.loading}</p>}
      {failure !== '' && value === undefined && (
        <ErrorState title={words.gone} body={failure} action={<Button onPress={close}>{words.back}</Button>} />
      )}
      {value !== undefined && (
        <>
          <header className={styles.head}>
            <h2 className={styles.title} tabIndex={-1} ref={heading}>
              {place}
            </h2>
            <p className={styles.what}>
              <LedDot led={ledOf(value.command.command, value.command.color)} />
              <span>{contentWords({ lines: linesOf(value.command), quantity: value.command.quantity })}</span>
            </p>
            <div className={styles.links}>
              {originWords(value.command) !== '' && (
                <Link href={originAddress(value.command)} className={button.button ?? ''}>
                  {originWords(value.command)}
                </Link>
              )}
              {device !== undefined && (
                <Link href={`/devices/${value.deviceid}`} className={button.button ?? ''}>
                  {words.openDevice}
                </Link>
              )}
            </div>
          </header>
          <CommandTimeline timeline={value} device={device} title={texts.why.kinds[kindOf(value.state)]} />
        </>
      )}
    </section>
  );
}

type Ended = 'acknowledged' | 'timedOut' | 'killed' | 'replaced';
function kindOf(state: string): Ended {
  return state as Ended;
}

/** Escape closes it, unless a dialog or a list is open above it. */
function useEscape(close: () => void): void {
  const newest = useRef(close);
  useEffect(() => {
    newest.current = close;
  });
  useEffect(() => {
    function hear(event: KeyboardEvent): void {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="listbox"]') !== null) return;
      newest.current();
    }
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);
}
