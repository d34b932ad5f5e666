import { Search, type LucideIcon } from 'lucide-react';
import { Button } from 'react-aria-components';
import { Link } from 'wouter';
import type { PageId } from '#shared/lib/pagePaths.ts';
import { useStationState } from '../station/context.ts';
import type { StationState } from '../station/store.ts';
import { Mark } from './Mark.tsx';
import styles from './Rail.module.css';
import { texts } from './texts.ts';
import type { ThemeChoice } from './theme.ts';
import { UserMenu } from './UserMenu.tsx';

export type RailPage = {
  id: PageId;
  href: string;
  word: string;
  icon: LucideIcon;
  /** What else it is looked for by. */
  also?: string;
  /** How many things wait there for somebody, and how that is said. */
  count?: { of(state: StationState): number; words(count: number): string };
};

type Props = { pages: readonly RailPage[]; page: PageId | undefined; theme: ThemeChoice; search(): void };

/** The pages, each with its icon and word; where to search; and who is here. */
export function Rail({ pages, page, theme, search }: Props) {
  return (
    <nav className={styles.rail} aria-label={texts.rail.label}>
      <Mark className={styles.mark} />
      <Button className={styles.search ?? ''} onPress={search} aria-keyshortcuts="Control+K Meta+K">
        <Search size={20} strokeWidth={1.8} aria-hidden="true" />
        {texts.rail.search}
        <kbd className={styles.keys} aria-hidden="true">
          {texts.rail.searchKeys}
        </kbd>
      </Button>
      <ul className={styles.pages}>
        {pages.map((each) => (
          <li key={each.id}>
            <PageLink page={each} isHere={each.id === page} />
          </li>
        ))}
      </ul>
      <UserMenu theme={theme} />
    </nav>
  );
}

const none = (): number => 0;

function PageLink({ page: { href, word, icon: Icon, count }, isHere }: { page: RailPage; isHere: boolean }) {
  const waiting = useStationState(count?.of ?? none);
  return (
    <Link className={styles.page ?? ''} href={href} aria-current={isHere ? 'page' : undefined}>
      <span className={styles.icon}>
        <Icon size={20} strokeWidth={1.8} aria-hidden="true" />
        {waiting > 0 && (
          <span className={styles.count} aria-hidden="true">
            {waiting > 99 ? '99+' : waiting}
          </span>
        )}
      </span>
      {word}
      {waiting > 0 && <span className="visuallyHidden">{count?.words(waiting)}</span>}
    </Link>
  );
}
