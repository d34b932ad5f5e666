import { Search, type LucideIcon } from 'lucide-react';
import { Button } from 'react-aria-components';
import { Link } from 'wouter';
import type { PageId } from '#shared/lib/pagePaths.ts';
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
        {pages.map(({ id, href, word, icon: Icon }) => (
          <li key={id}>
            <Link className={styles.page ?? ''} href={href} aria-current={id === page ? 'page' : undefined}>
              <Icon size={20} strokeWidth={1.8} aria-hidden="true" />
              {word}
            </Link>
          </li>
        ))}
      </ul>
      <UserMenu theme={theme} />
    </nav>
  );
}
