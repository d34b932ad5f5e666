import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { SimulatedHold } from '../../station/api.ts';
import * as texts from '../../words/texts.ts';
import styles from './PressButton.module.css';

type Props = {
  /** `round`: the front button, which is the LED; `key`: plus and minus. */
  shape: 'round' | 'key';
  label: string;
  press(hold: SimulatedHold): void;
  children: ReactNode;
};

/** A button of a device under the worker's finger: short and long presses, the progress of holding visible. */
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

/** The shortest long press. */
const LONG_PRESS_MS = 800;

/** What a button spreads to tell short from long. `holding`: it is being held, to show the progress. */
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
 * Short press: a click, Enter, a tap of the space bar, or the click of a screen reader. Long press: held for 800 ms by
 * pointer, finger or space bar (it counts at once, and the release does nothing), or Shift+Enter.
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
      // Holding a finger down opens a menu on tablets; here it is a long press.
      onContextMenu(event) {
        if (holding || wasLong.current) event.preventDefault();
      },
      onKeyDown(event) {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        // Keys are done here, not by the click they would cause: a held key must not press again and again.
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
      // The key is let go of elsewhere: as with a finger that slides off.
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
