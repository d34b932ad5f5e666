import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { SimulatedHold } from '../../station/calls/api.ts';
import * as texts from '../../words/texts.ts';
import styles from './PressButton.module.css';

type Props = {
  /** `round` is the shape of the front button, which is the LED; `key` of plus and minus. */
  shape: 'round' | 'key';
  label: string;
  press(hold: SimulatedHold): void;
  children: ReactNode;
};

/** A device button for short and long presses, which shows the progress of holding. */
export function PressButton({ shape, label, press, children }: Props) {
  const { holding, props } = useHold(press);
  return (
    <button
      type="button"
      className={styles.button}
      data-shape={shape}
      data-holding={holding || undefined}
      aria-label={label}
      aria-keyshortcuts="Enter Shift+Enter Space"
      title={texts.device.pressHint}
      {...props}
    >
      {shape === 'key' ? <span className={styles.key}>{children}</span> : children}
    </button>
  );
}

/** Minimum duration of a long press in milliseconds. */
const LONG_PRESS_MS = 800;

/** Handlers of a button for short and long presses. */
type HoldProps = {
  onPointerDown(event: PointerEvent): void;
  onPointerUp(): void;
  onPointerLeave(): void;
  onPointerCancel(): void;
  onContextMenu(event: MouseEvent): void;
  onKeyDown(event: KeyboardEvent): void;
  onKeyUp(event: KeyboardEvent): void;
  onBlur(): void;
  onClick(): void;
};

/**
 * Handles short and long presses. A short press is a click, Enter, the space bar, or a screen reader's click. A long
 * press is Shift+Enter, or holding the pointer or the space bar for 800 ms; it takes effect immediately, before the
 * release. `holding` tells whether to show the progress of a long press.
 */
function useHold(press: (hold: SimulatedHold) => void): { holding: boolean; props: HoldProps } {
  const [holding, setHolding] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wasLong = useRef(false);
  const keyIsDown = useRef(false);

  function hold(): void {
    wasLong.current = false;
    setHolding(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      wasLong.current = true;
      setHolding(false);
      press('long');
    }, LONG_PRESS_MS);
  }

  function release(): void {
    clearTimeout(timer.current);
    setHolding(false);
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    holding,
    props: {
      onPointerDown(event) {
        if (event.button === 0) hold();
      },
      onPointerUp: release,
      onPointerLeave: release,
      onPointerCancel: release,
      // On tablets, holding opens a context menu. Here it is a long press.
      onContextMenu(event) {
        if (holding || wasLong.current) event.preventDefault();
      },
      onKeyDown(event) {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        // Handle keys here instead of by the resulting click, because a held key must not repeat presses.
        event.preventDefault();
        if (event.repeat) return;
        if (event.key === 'Enter') return press(event.shiftKey ? 'long' : 'short');
        keyIsDown.current = true;
        hold();
      },
      onKeyUp(event) {
        if (event.key !== ' ' || !keyIsDown.current) return;
        event.preventDefault();
        keyIsDown.current = false;
        release();
        if (!wasLong.current) press('short');
        wasLong.current = false;
      },
      // If the focus moves during the press, treat it like a finger that slides off.
      onBlur() {
        keyIsDown.current = false;
        release();
      },
      onClick() {
        release();
        const counted = wasLong.current;
        wasLong.current = false;
        if (!counted) press('short');
      },
    },
  };
}
