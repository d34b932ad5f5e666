import { Info, TriangleAlert } from 'lucide-react';
import { Button } from 'react-aria-components';
import { Unbroken } from '../../../kit/Unbroken.tsx';
import * as texts from '../../../words/texts.ts';
import styles from '../Messages.module.css';
import { type PressAnswer, type PressNotice, pressWords } from './pressNotices.ts';

/** Asks whose a press was. The booked person can say that it was not theirs, all others that it was theirs. */
export function PressNotices({
  notices,
  answer,
}: {
  notices: readonly PressNotice[];
  answer(notice: PressNotice, how: PressAnswer): void;
}) {
  return notices.map((notice) => {
    const { key, own, isQuiet, refused } = notice;
    const how = own === undefined ? 'notMine' : 'mine';
    const Icon = isQuiet ? Info : TriangleAlert;
    return (
      <div
        key={key}
        role={isQuiet ? 'status' : 'alert'}
        className={styles.message}
        data-kind={isQuiet ? 'note' : 'wrong'}
      >
        <Icon className={styles.icon ?? ''} size={26} aria-hidden="true" />
        <span className={styles.text}>
          <Unbroken>{pressWords(notice)}</Unbroken>
        </span>
        {refused === undefined && (
          <Button preventFocusOnPress className={styles.button ?? ''} onPress={() => answer(notice, how)}>
            {how === 'mine' ? texts.pick.mine : texts.pick.notMine}
          </Button>
        )}
        <Button preventFocusOnPress className={styles.button ?? ''} onPress={() => answer(notice, 'read')}>
          {texts.pick.whose.read}
        </Button>
      </div>
    );
  });
}

/** Names presses that booked a line of this order or batch, and about which nobody has said whose they were. */
export function Unanswered({ notices, className }: { notices: readonly PressNotice[]; className: string | undefined }) {
  return notices
    .filter(({ own }) => own === undefined)
    .map(({ key, place, quantity, others }) => (
      <p key={key} className={className}>
        {texts.pick.whose.unanswered(
          place,
          quantity,
          others.map(({ picker }) => picker),
        )}
      </p>
    ));
}
