import { CircleUserRound, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { Button } from 'react-aria-components';
import { sentenceOf } from '../station/apiError.ts';
import { useStationContext, useStationState } from '../station/context.ts';
import { useLeave } from './leaveGuard.tsx';
import { Menu } from './Menu.tsx';
import styles from './Rail.module.css';
import { texts } from './texts.ts';
import { THEMES, useTheme, type ThemeChoice } from './theme.ts';
import { useToasts } from './toasts.ts';

const ICONS = { system: <Monitor size={16} />, light: <Sun size={16} />, dark: <Moon size={16} /> };

/** Who is here, how it looks here, and the way out. */
export function UserMenu({ theme, placement }: { theme: ThemeChoice; placement: 'right bottom' | 'top' }) {
  const { session } = useStationContext();
  const user = useStationState(({ station }) => station?.user.name ?? '');
  const scope = useStationState(({ station }) => station?.user.scope);
  const chosen = useTheme(theme);
  const leave = useLeave();
  const toasts = useToasts();

  async function signOut(): Promise<void> {
    try {
      await session.signOut();
    } catch (error) {
      toasts.fail(`${texts.rail.signOutFailed} ${sentenceOf(error, texts.failure.other)}`);
    }
  }

  return (
    <Menu
      label={texts.rail.user(user)}
      placement={placement}
      trigger={
        <Button className={styles.user ?? ''} aria-label={texts.rail.user(user)}>
          <CircleUserRound size={20} strokeWidth={1.8} aria-hidden="true" />
          <span className={styles.name}>{user}</span>
        </Button>
      }
      groups={[
        {
          title: texts.rail.theme,
          chosen,
          rows: THEMES.map((id) => ({
            id,
            words: texts.rail.themes[id],
            icon: ICONS[id],
            run: () => theme.set(id),
          })),
        },
        {
          title: scope === undefined ? user : texts.rail.signedIn(user, texts.rail.scopes[scope]),
          rows: [
            {
              id: 'signOut',
              words: texts.rail.signOut,
              icon: <LogOut size={16} />,
              run: () => leave(() => void signOut()),
            },
          ],
        },
      ]}
    />
  );
}
