import { LockKeyhole, type LucideIcon } from 'lucide-react';
import { useId } from 'react';
import { Button as AriaButton, Dialog, DialogTrigger, Popover, type ButtonProps } from 'react-aria-components';
import { Link } from 'wouter';
import type { Right } from '#shared/api/rights.ts';
import { useDenied } from '../denied.ts';
import styles from './Button.module.css';
import * as texts from '../../words/texts.ts';

type Props = Omit<ButtonProps, 'className' | 'style' | 'children'> & {
  /** Icon before the words, or instead of them. */
  icon?: LucideIcon;
  /** Text, as an alternative to children. */
  words?: string;
  children?: React.ReactNode;
  /**
   * `primary` is for the main action, `plain` for other actions, `quiet` for buttons without a border, `icon` for
   * buttons with only an icon, and `danger` for actions that cannot be undone.
   */
  look?: 'primary' | 'plain' | 'quiet' | 'icon' | 'danger';
  /** Whether the action is running. The button keeps the focus, but presses have no effect. */
  busy?: boolean;
  /** The required right. If the person lacks it, pressing the button only explains why the action is not allowed. */
  needs?: Right;
};

type LinkProps = Pick<Props, 'icon' | 'words' | 'look' | 'children' | 'aria-label'> & {
  to: string;
  className?: string;
};

/** A link that looks like a button. */
export function ButtonLink({ icon: Icon, words, look, to, className = '', children, ...props }: LinkProps) {
  return (
    <Link {...props} href={to} className={`${className} ${styles.button}`.trim()} data-look={look}>
      {Icon !== undefined && <Icon size={16} aria-hidden="true" />}
      {words}
      {children}
    </Link>
  );
}

/** The standard button, at least 44 px high. */
export function Button({ needs, icon: Icon, words, children, ...props }: Props) {
  const content = (
    <>
      {Icon !== undefined && <Icon size={props.look === 'icon' ? 18 : 16} aria-hidden="true" />}
      {words}
      {children}
    </>
  );
  return needs === undefined ? (
    <Plain {...props}>{content}</Plain>
  ) : (
    <Needing {...props} needs={needs}>
      {content}
    </Needing>
  );
}

type PlainProps = Omit<Props, 'needs' | 'icon' | 'words'>;

function Plain({ look = 'plain', busy = false, onPress, ...props }: PlainProps) {
  return (
    <AriaButton
      {...props}
      onPress={(event) => {
        if (!busy) onPress?.(event);
      }}
      className={styles.button ?? ''}
      data-look={look}
      data-busy={busy || undefined}
    />
  );
}

function Needing({ needs, ...props }: PlainProps & { needs: Right }) {
  const denied = useDenied(needs);
  const reason = useId();
  if (denied === undefined) return <Plain {...props} />;
  const { children, look = 'plain', 'aria-label': label, excludeFromTabOrder = false } = props;
  // Not disabled in HTML, so that touching the button or pressing a key can show the reason.
  return (
    <DialogTrigger>
      <AriaButton
        className={styles.button ?? ''}
        data-look={look === 'quiet' || look === 'icon' ? look : 'plain'}
        data-denied
        aria-describedby={reason}
        excludeFromTabOrder={excludeFromTabOrder}
        {...(label === undefined ? {} : { 'aria-label': label })}
      >
        {children}
        {look !== 'icon' && <LockKeyhole className={styles.lock ?? ''} size={14} aria-hidden="true" />}
        <span id={reason} hidden>
          {denied}
        </span>
      </AriaButton>
      <Popover className={styles.denied ?? ''} placement="bottom" offset={6}>
        <Dialog aria-label={texts.frame.denied}>{denied}</Dialog>
      </Popover>
    </DialogTrigger>
  );
}
