import { LogOut } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { ledOf } from '../../device/commandWords.ts';
import { ledStyle } from '../../device/Led.tsx';
import { SoundButton } from '../../sound/SoundControls.tsx';
import { useIsLocked, useStationContext, useStationState } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import { useAttempt } from '../../ui/toasts.ts';
import { ColorDialog } from './ColorDialog.tsx';
import { capital, Disc } from './Disc.tsx';
import styles from './Pick.module.css';

const words = texts.pick;

/** The page around an order or the choice of one: who picks, in which color, and the way out. */
export function Frame({
  title,
  note,
  bottom,
  beside,
  children,
}: {
  title: string;
  note?: ReactNode;
  bottom?: ReactNode;
  /** Beside the page where there is room, else below it. */
  beside?: ReactNode;
  children: ReactNode;
}) {
  const exit = useExit();
  const [isChoosing, setIsChoosing] = useState(false);
  const own = useOwnColor();
  return (
    <div className={styles.around}>
      <div className={styles.room}>
        <div className={styles.page} style={own === undefined ? undefined : ledStyle(ledOf('flash', own))}>
          <header className={styles.top}>
            <h1 className={styles.title}>{title}</h1>
            <span className={styles.note}>{note}</span>
            {own !== undefined && (
              <button type="button" className={styles.mine} onClick={() => setIsChoosing(true)}>
                <Disc color={own} />
                <span className={styles.mineWords}>{words.color.yours(capital(own))}</span>{' '}
                <span className={styles.change}>{words.color.change}</span>
              </button>
            )}
            <SoundButton />
            <Button look="quiet" icon={LogOut} aria-label={words.exit} onPress={exit}>
              <span className={styles.exitWords}>{words.exit}</span>
            </Button>
          </header>
          <main className={styles.main}>{children}</main>
          {bottom}
          <ColorDialog isOpen={isChoosing} onClose={() => setIsChoosing(false)} own={own} />
        </div>
      </div>
      {beside}
    </div>
  );
}

/** To the other pages; at a kiosk there are none, and it signs out. */
function useExit(): () => void {
  const { session } = useStationContext();
  const isLocked = useIsLocked();
  const [, navigate] = useLocation();
  const signOut = useAttempt(texts.kiosk.signOutFailed, session.signOut);
  return isLocked ? signOut.run : () => navigate('/');
}

/** The color of the signed-in person; undefined until their first order. */
function useOwnColor(): string | undefined {
  const { api } = useStationContext();
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const pickers = useStationQuery(['pickers'], () => api.loadPickers());
  return pickers.value?.find(({ name }) => name === me)?.color ?? undefined;
}
