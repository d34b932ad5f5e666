import { ArrowLeft, Delete, LogIn } from 'lucide-react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button as Key } from 'react-aria-components';
import type { KioskScreen } from '#shared/api/kiosk.ts';
import { inputTimes } from '../../kit/inputTimes.ts';
import { useAct } from '../../useAct.ts';
import { ApiError, sentenceOf } from '../../words/apiError.ts';
import { useStationContext } from '../../station/context.ts';
import * as texts from '../../words/texts.ts';
import { INERT_AFTER_OWN_MS, SAME_KEY_MS } from '../pick/session/inertTimes.ts';
import { onPainted } from '../pick/useSessionEvents.ts';
import { Initial } from './Initial.tsx';
import styles from './Kiosk.module.css';

const words = texts.kiosk;
const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
const MIN_DIGITS = 4;
const MAX_DIGITS = 8;
/** Milliseconds without a key after which the page returns to the names, which erases an unfinished PIN. */
const FORGET_MS = 60_000;

type Props = { person: KioskScreen['people'][number]; back(): void };

/** Asks for a person's PIN, which can be typed by touch, also with gloves, or on a keyboard. Hides the digits. */
export function Keypad({ person: { username, color }, back }: Props) {
  const { typed, failure, busy, type, erase, signIn } = usePin(username, back);
  const field = useRef<HTMLInputElement>(null);
  const { isRefused, unlessBounce } = useBounces();

  /** Handles digits wherever the focus is. Enter and Space press the focused button. */
  function onKeyDown(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    if (/^\d$/.test(key)) type(key);
    else if (key === 'Backspace') erase();
    else if (key === 'Escape' && !busy) back();
    else if (key === 'Enter' && event.target === field.current) signIn();
    else return;
    event.preventDefault();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- digits work while any of its buttons has the focus
    <div className={styles.page} onKeyDown={onKeyDown}>
      <header className={styles.top}>
        <h1 className={styles.title}>{words.title}</h1>
      </header>
      <main className={styles.main}>
        <div className={styles.pad}>
          <div className={styles.head}>
            {/* While a sign-in is unanswered, another person must not sign in here. */}
            <PadKey label={words.toNames} isDisabled={busy} onPress={back}>
              <ArrowLeft size={32} aria-hidden="true" />
            </PadKey>
            <h2 className={styles.person}>
              <Initial name={username} color={color} />
              <span className={styles.name}>{username}</span>
            </h2>
          </div>
          {/* A text field that contains only dots: for a password field, browsers would offer to save the PIN. */}
          <input
            ref={field}
            className={styles.dots}
            value={'•'.repeat(typed.length)}
            readOnly
            autoFocus
            inputMode="none"
            autoComplete="off"
            aria-label={words.pinOf(username, typed.length)}
            aria-invalid={failure !== ''}
            aria-describedby="pinFailure"
          />
          <p id="pinFailure" className={styles.failure} role="alert">
            {failure}
          </p>
          <div className={styles.keys} role="group" aria-label={words.keys} data-refused={isRefused || undefined}>
            {DIGITS.map((digit) => (
              <PadKey key={digit} onPress={unlessBounce(digit, () => type(digit))}>
                {digit}
              </PadKey>
            ))}
            <PadKey label={words.erase} onPress={unlessBounce('erase', erase)}>
              <Delete size={32} aria-hidden="true" />
            </PadKey>
            <PadKey onPress={unlessBounce('0', () => type('0'))}>0</PadKey>
            <PadKey label={busy ? words.busy : words.signIn} look="main" onPress={unlessBounce('signIn', signIn)}>
              <LogIn size={32} aria-hidden="true" />
            </PadKey>
          </div>
        </div>
      </main>
    </div>
  );
}

type PadKeyProps = { label?: string; look?: 'main'; isDisabled?: boolean; onPress(): void; children: React.ReactNode };

function PadKey({ label, look, isDisabled = false, onPress, children }: PadKeyProps) {
  return (
    <Key
      className={styles.key ?? ''}
      data-look={look}
      isDisabled={isDisabled}
      onPress={onPress}
      // Keep the focus in the field, where Enter signs in.
      preventFocusOnPress
      {...(label === undefined ? {} : { 'aria-label': label })}
    >
      {children}
    </Key>
  );
}

/** How long the keys show that a touch was ignored, in milliseconds. */
const REFUSED_MS = 300;

/** Ignores touches that bounce, and those made before a person can have seen the keys. */
function useBounces() {
  const inputs = inputTimes();
  const paintedAt = useRef(Infinity);
  const last = useRef({ key: '', at: -Infinity });
  const [isRefused, setRefused] = useState(false);
  useLayoutEffect(() => onPainted(() => (paintedAt.current = performance.now())), []);
  useEffect(() => {
    if (!isRefused) return undefined;
    const timer = window.setTimeout(() => setRefused(false), REFUSED_MS);
    return () => window.clearTimeout(timer);
  }, [isRefused]);
  const unlessBounce = (key: string, press: () => void) => (): void => {
    const { madeAt, via } = inputs.ownInput();
    const isBounce = key === last.current.key && madeAt - last.current.at < SAME_KEY_MS;
    if (via === 'touch' && (isBounce || madeAt - paintedAt.current < INERT_AFTER_OWN_MS)) return setRefused(true);
    last.current = { key, at: madeAt };
    press();
  };
  return { isRefused, unlessBounce };
}

/** Tracks the typed digits, and why the last PIN failed. */
function usePin(username: string, back: () => void) {
  const { session } = useStationContext();
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState('');
  const { busy, run: send } = useAct(async () => {
    try {
      await session.signInWithPin({ username, pin: typed });
    } catch (error) {
      const isWrong = error instanceof ApiError && error.code === 'unauthenticated';
      setFailure(isWrong ? words.wrong : sentenceOf(error, words.failed));
    } finally {
      setTyped('');
    }
  });

  useEffect(() => {
    if (busy) return undefined;
    const timer = window.setTimeout(back, FORGET_MS);
    return () => window.clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- each key restarts the timer
  }, [typed, failure, busy]);

  return {
    typed,
    failure,
    busy,
    type(digit: string): void {
      if (busy) return;
      setFailure('');
      setTyped((before) => (before + digit).slice(0, MAX_DIGITS));
    },
    erase(): void {
      if (!busy) setTyped((before) => before.slice(0, -1));
    },
    signIn(): void {
      if (busy) return;
      if (typed.length < MIN_DIGITS) setFailure(words.tooShort);
      else send();
    },
  };
}
