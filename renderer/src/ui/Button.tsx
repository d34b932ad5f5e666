import { Button as AriaButton, type ButtonProps } from 'react-aria-components';
import styles from './Button.module.css';

type Props = Omit<ButtonProps, 'className' | 'style'> & {
  /** `primary`: the one thing to do here; `plain`: everything else; `quiet`: without an edge. */
  look?: 'primary' | 'plain' | 'quiet' | 'icon';
};

/** A button of the window's own: at least 44 px high. */
export function Button({ look = 'plain', ...props }: Props) {
  return <AriaButton {...props} className={styles.button ?? ''} data-look={look} />;
}
