import {
  Bell,
  BellOff,
  CircleQuestionMark,
  CircleUserRound,
  Ellipsis,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  Search,
  Sun,
} from 'lucide-react';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { Button, Popover } from 'react-aria-components';
import { Link, useLocation } from 'wouter';
import { useStationState } from '../../station/context.ts';
import type { StationState } from '../../station/live/store.ts';
import { useLeave } from '../../kit/dialog/leaveGuard.tsx';
import { notifyChoice, useNotifies } from '../../shop/notifyChoice.ts';
import { Menu } from '../../kit/menu/Menu.tsx';
import parts from '../../kit/parts.module.css';
import { useIsNarrow } from '../../kit/useIsNarrow.ts';
import styles from './Rail.module.css';
import { splitPages } from './railShare.ts';
import * as texts from '../../words/texts.ts';
import { type ThemeChoice, THEMES, useTheme } from '../../shop/theme.ts';
import { useToasts } from '../../shop/toasts.ts';
import { useSignOut } from '../../shop/useSignOut.tsx';

export type RailPage = {
  id: string;
  href: string;
  word: string;
  icon: LucideIcon;
  /** The badge number and the text that screen readers read for it. */
  count?: { of(state: StationState): number; words(count: number): string };
};

type Props = {
  pages: readonly RailPage[];
  /** The link to the alerts. */
  bell: RailPage | undefined;
  /** Id of the open page. */
  open: string | undefined;
  theme: ThemeChoice;
  search(): void;
};

/**
 * Navigation, search, the bell and the account menu. Pages that do not fit are in the More menu. On a phone, the rail
 * is a bar that shows three pages; the More menu has all other pages, the bell and the account menu.
 */
export function Rail({ pages, bell, open, theme, search }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const isBar = useIsNarrow();
  const room = useRoom(list);
  const inRail = isBar && bell !== undefined ? [...pages, bell] : pages;
  const { shown, more } = splitPages(inRail, { isBar, room });
  const find = (
    <Button className={styles.search ?? ''} onPress={search} aria-keyshortcuts="Control+K Meta+K">
      <Search size={20} strokeWidth={1.8} aria-hidden="true" />
      {texts.rail.search}
      <kbd className={styles.keys} aria-hidden="true">
        {texts.rail.searchKeys}
      </kbd>
    </Button>
  );
  const user = <UserMenu theme={theme} placement={isBar ? 'top' : 'right bottom'} />;
  return (
    <nav className={`${parts.middle2} ${styles.rail}`} aria-label={texts.rail.label}>
      <Mark className={styles.mark} />
      {!isBar && find}
      <ul className={styles.pages} ref={list}>
        {shown.map((each) => (
          <li key={each.id}>
            <PageLink page={each} isHere={each.id === open} />
          </li>
        ))}
        {isBar && <li>{find}</li>}
        {(isBar || more.length > 0) && (
          <li>
            <More pages={more} open={open} foot={isBar ? user : null} />
          </li>
        )}
      </ul>
      {!isBar && bell !== undefined && <PageLink page={bell} isHere={bell.id === open} />}
      {!isBar && user}
    </nav>
  );
}

/** Button that opens a menu of the pages that do not fit in the rail. */
function More({ pages, open, foot }: { pages: readonly RailPage[]; open: string | undefined; foot: ReactNode }) {
  const waiting = useStationState((state) => pages.reduce((sum, { count }) => sum + (count?.of(state) ?? 0), 0));
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const here = pages.find(({ id }) => id === open);
  return (
    <>
      <Button
        ref={button}
        className={styles.page ?? ''}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        data-here={here !== undefined || undefined}
        onPress={() => setOpen(true)}
      >
        <Icon of={Ellipsis} waiting={waiting} />
        <span aria-hidden="true">{texts.rail.more}</span>
        <span className="visuallyHidden">{texts.rail.moreWith(here?.word, waiting)}</span>
      </Button>
      <Popover
        className={styles.more ?? ''}
        triggerRef={button}
        isOpen={isOpen}
        onOpenChange={setOpen}
        placement={foot === null ? 'right bottom' : 'top end'}
        offset={8}
        aria-label={texts.rail.morePages}
      >
        <ul className={`${parts.stack1} ${styles.morePages}`}>
          {pages.map((each) => (
            <li key={each.id}>
              <PageLink page={each} isHere={each.id === open} onClick={() => setOpen(false)} />
            </li>
          ))}
        </ul>
        {foot !== null && <div className={styles.foot}>{foot}</div>}
      </Popover>
    </>
  );
}

const none = (): number => 0;

type LinkProps = { page: RailPage; isHere: boolean; onClick?: () => void };

function PageLink({ page: { href, word, icon, count }, isHere, onClick }: LinkProps) {
  const waiting = useStationState(count?.of ?? none);
  return (
    <Link className={styles.page ?? ''} href={href} aria-current={isHere ? 'page' : undefined} onClick={onClick}>
      <Icon of={icon} waiting={waiting} />
      {word}
      {waiting > 0 && <span className="visuallyHidden">{count?.words(waiting)}</span>}
    </Link>
  );
}

/** An icon with a badge. */
function Icon({ of: Sign, waiting }: { of: LucideIcon; waiting: number }) {
  return (
    <span className={styles.icon}>
      <Sign size={20} strokeWidth={1.8} aria-hidden="true" />
      {waiting > 0 && (
        <span className={styles.count} aria-hidden="true">
          {waiting > 99 ? '99+' : waiting}
        </span>
      )}
    </span>
  );
}

/** Product logo in the theme's colors. `mark.svg` is the same logo for the browser tab. */
function Mark({ className }: { className: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 32 32" width={36} height={36} role="img" aria-label={texts.product}>
      <rect width="32" height="32" rx="9" fill="var(--control)" />
      <rect x="6.5" y="8" width="12.5" height="16" rx="2.2" fill="var(--on-control)" />
      <path d="M9.6 12.6h6.3M9.6 16h4.2M9.6 19.4h6.3" stroke="var(--control)" strokeWidth="1.7" strokeLinecap="round" />
      <circle cx="24" cy="16" r="3.1" fill="var(--on-control)" />
    </svg>
  );
}

const ICONS = { system: Monitor, light: Sun, dark: Moon };

/** The account menu: theme, Help and signing out. */
function UserMenu({ theme, placement }: { theme: ThemeChoice; placement: 'right bottom' | 'top' }) {
  const user = useStationState(({ station }) => station?.user.name ?? '');
  const scope = useStationState(({ station }) => station?.user.scope);
  const chosen = useTheme(theme);
  const leave = useLeave();
  const signOut = useSignOut(texts.rail.signOutFailed);
  const toasts = useToasts();
  const [, navigate] = useLocation();
  const notifies = useNotifies();

  async function notify(): Promise<void> {
    if (notifies) return notifyChoice.turnOff();
    const outcome = await notifyChoice.turnOn();
    if (outcome === 'on') toasts.show(texts.alerts.notify.on);
    else toasts.fail(texts.alerts.notify[outcome]);
  }

  return (
    <>
      <Menu
        label={texts.rail.user(user)}
        placement={placement}
        trigger={
          <Button className={styles.user ?? ''} aria-label={texts.rail.user(user)}>
            <CircleUserRound size={20} strokeWidth={1.8} aria-hidden="true" />
            <span className={`${parts.clip} ${styles.name}`}>{user}</span>
          </Button>
        }
        groups={[
          {
            title: texts.rail.theme,
            chosen,
            rows: THEMES.map((id) => ({ id, words: texts.rail.themes[id], icon: ICONS[id], run: () => theme.set(id) })),
          },
          {
            title: scope === undefined ? user : texts.rail.signedIn(user, texts.rail.scopes[scope]),
            rows: [
              {
                id: 'notify',
                words: notifies ? texts.alerts.notify.turnOff : texts.alerts.notify.turnOn,
                icon: notifies ? BellOff : Bell,
                run: () => void notify(),
              },
              { id: 'help', words: texts.help.title, icon: CircleQuestionMark, run: () => navigate('/help') },
              {
                id: 'signOut',
                words: texts.rail.signOut,
                icon: LogOut,
                run: () => leave(signOut.run),
              },
            ],
          },
        ]}
      />
      {signOut.question}
    </>
  );
}

/**
 * Returns how many entries fit into the list, assuming that all are as tall as the first one. The CSS height of the
 * list must not depend on its entries.
 */
export function useRoom(list: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(Infinity);

  useLayoutEffect(() => {
    const { current } = list;
    if (current === null) return;
    const measure = (): void => setRoom(roomIn(current));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [list]);

  return room;
}

function roomIn(list: HTMLElement): number {
  const each = list.firstElementChild?.clientHeight ?? 0;
  const gap = Number.parseFloat(getComputedStyle(list).rowGap) || 0;
  // There is no limit if the entry is hidden and therefore has no height.
  return each === 0 ? Infinity : Math.floor((list.clientHeight + gap) / (each + gap));
}
