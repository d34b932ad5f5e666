import { LogOut } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { ledOf } from '../../shop/device/commandWords.ts';
import { ledStyle } from '../../shop/device/Led.tsx';
import { SoundButton } from '../../sound/SoundControls.tsx';
import { useIsLocked, useStationContext, useStationState } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button } from '../../kit/button/Button.tsx';
import * as texts from '../../words/texts.ts';
import { type SignOutAnswers, useSignOut } from '../../shop/useSignOut.tsx';
import { LateButton } from './BigButton.tsx';
import { ColorDialog } from './ColorDialog.tsx';
import { capital, Disc } from './Disc.tsx';
import { Notices, useNotices } from './Notices.tsx';
import { NoticesAbove } from './useGuardedButtons.ts';
import { RowsMoved, useRowsMoved } from './useRowsMoved.ts';
import type { PressAnswer, PressNotice } from './whose/pressNotices.ts';
import styles from './Pick.module.css';

const words = texts.pick;

/** The frame around an order or around the page for choosing an order. Its header shows who picks in which color, and the exit. */
export function Frame({
  title,
  note = [],
  notice,
  bottom,
  beside,
  answerPress,
  isAnswerRefused,
  moved,
  children,
}: {
  title: string;
  /** The current work, followed by details. On a phone, the first part has its own line. */
  note?: readonly string[];
  /** Shown when there is no message about the connection. */
  notice?: string | undefined;
  bottom?: ReactNode;
  /** Shown next to the page if there is room, otherwise below it. */
  beside?: ReactNode;
  /** Answers whose a press was. */
  answerPress(notice: PressNotice, how: PressAnswer): void;
  /** Whether the last answer was ignored just now. */
  isAnswerRefused?: boolean;
  /** Called when a row appears or disappears, which moves the buttons below. */
  moved?(): void;
  children: ReactNode;
}) {
  const notices = useNotices(notice);
  useRowsMoved(notices.rows, moved);
  const exit = useExit();
  const [isChoosing, setIsChoosing] = useState(false);
  const own = useOwnColor();
  const [main = '', ...rest] = note.filter((part) => part !== '');
  return (
    <div className={styles.around}>
      <div className={styles.room}>
        <div className={styles.page} style={own === undefined ? undefined : ledStyle(ledOf('flash', own))}>
          <header className={styles.top}>
            <h1 className={styles.title}>{title}</h1>
            <span className={styles.note}>
              <span>{main}</span>
              {rest.length > 0 && <span className={styles.dot}> · </span>}
              <span>{rest.join(' · ')}</span>
            </span>
            {own !== undefined && (
              <button type="button" className={styles.mine} onClick={() => setIsChoosing(true)}>
                <Disc color={own} />
                <span className={styles.mineWords}>{words.color.yours(capital(own))}</span>{' '}
                <span className={styles.change}>{words.color.change}</span>
              </button>
            )}
            <SoundButton />
            <Button look="quiet" icon={LogOut} aria-label={words.exit} onPress={exit.run}>
              <span className={styles.exitWords}>{words.exit}</span>
            </Button>
          </header>
          <Notices notices={notices} answerPress={answerPress} isRefused={isAnswerRefused} />
          <NoticesAbove value={notices.rows}>
            <main className={styles.main}>
              <RowsMoved value={moved}>{children}</RowsMoved>
            </main>
            {bottom}
          </NoticesAbove>
          {exit.question}
          <ColorDialog isOpen={isChoosing} onClose={() => setIsChoosing(false)} own={own} />
        </div>
      </div>
      {beside}
    </div>
  );
}

/** Returns the action of the exit button, which opens the other pages or, at a kiosk, signs out. */
function useExit(): { run(): void; question: ReactNode } {
  const isLocked = useIsLocked();
  const [, navigate] = useLocation();
  const { run, question } = useSignOut(texts.kiosk.signOutFailed, largeAnswers);
  return { run: isLocked ? run : () => navigate('/today'), question };
}

const largeAnswers = ({ stay, leave }: SignOutAnswers): ReactNode => (
  <div className={styles.choices}>
    <LateButton look="main" autoFocus onPress={stay.run}>
      {stay.words}
    </LateButton>
    <LateButton onPress={leave.run}>{leave.words}</LateButton>
  </div>
);

/** Returns the color of the signed-in person, or undefined before their first order. */
function useOwnColor(): string | undefined {
  const { api } = useStationContext();
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const pickers = useStationQuery(['pickers'], () => api.listPickers());
  return pickers.value?.find(({ name }) => name === me)?.color ?? undefined;
}
