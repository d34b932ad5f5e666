import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { inputTimes } from '../../kit/inputTimes.ts';
import { Unbroken } from '../../kit/Unbroken.tsx';
import { NEXT_BY_ENTER_MS } from './session/keyRules.ts';
import styles from './Pick.module.css';
import { useGuardedButtons } from './useGuardedButtons.ts';

type Props = Omit<ComponentProps<typeof Button>, 'className' | 'style' | 'children'> & {
  look?: 'main' | 'plain';
  icon?: LucideIcon;
  /** An alternative to pressing the button, shown in small print below the label. */
  hint?: ReactNode;
  /** Keeps the focus where it is when the button is touched, so that Enter still confirms. */
  preventFocusOnPress?: boolean;
  children: ReactNode;
};

/** A button for use with gloves: at least 80 px high, or 64 px on a phone. */
export function BigButton({ look = 'plain', icon: Icon, hint, children, ...props }: Props) {
  return (
    <Button {...props} className={styles.big ?? ''} data-look={look}>
      <span className={styles.bigWords}>
        {Icon !== undefined && <Icon size={28} aria-hidden="true" />}
        {typeof children === 'string' ? <Unbroken>{children}</Unbroken> : children}
      </span>
      {hint !== undefined && <span className={styles.hint}>{hint}</span>}
    </Button>
  );
}

/**
 * A button that briefly ignores touches and Enter after it appears, because another button may have been in its
 * place. An ignored input makes it shake and tick.
 */
export function LateButton({ onPress, ...props }: Props) {
  return <BigButton {...props} {...useLate(onPress)} />;
}

type Press = ComponentProps<typeof Button>['onPress'];

/** Returns button props that ignore presses until the button is painted and for a moment afterwards. */
export function useLate(onPress: Press) {
  const inputs = inputTimes();
  const { isInert, isRefused, isSeen, refuse } = useGuardedButtons();
  return {
    ...(isInert ? { 'data-inert': true } : {}),
    ...(isRefused ? { 'data-refused': true } : {}),
    onPress(event: Parameters<NonNullable<Press>>[0]): void {
      const { madeAt, via } = inputs.ownInput();
      const isHasty = via === 'enter' && inputs.pauseMs() < NEXT_BY_ENTER_MS;
      if (!isHasty && isSeen(madeAt)) return onPress?.(event);
      refuse();
    },
  };
}
