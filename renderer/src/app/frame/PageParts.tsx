import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import { type PageId, pageAddress } from '#shared/lib/station/pageRoutes.ts';
import { useAdvanced } from '../../shop/advancedChoice.ts';
import * as texts from '../../words/texts.ts';
import styles from './PageParts.module.css';

// Load the switch separately, because few pages need the code of fields when they open.
const AdvancedSwitch = lazy(async () => {
  const { AdvancedSwitch: component } = await import('./AdvancedSwitch.tsx');
  return { default: component };
});

type Part = { id: PageId; word: string; isAdvanced?: true };

type Props = {
  /** The name of the destination. */
  of: string;
  /** The pages of the destination that this person may see. */
  parts: readonly Part[];
  page: PageId | undefined;
};

/** Tabs for the pages of a destination, shown above the open page. Hidden if there is only one page. */
export function PageParts({ of, parts, page }: Props) {
  const advanced = useAdvanced();
  // Also list an advanced page that was opened by its address.
  const shown = parts.filter((part) => part.isAdvanced !== true || advanced.isOn || part.id === page);
  const hasAdvanced = parts.some((part) => part.isAdvanced === true);
  if (parts.length < 2) return null;
  return (
    <nav className={styles.bar} aria-label={texts.rail.partsOf(of)}>
      <ul className={styles.parts}>
        {shown.map(({ id, word }) => (
          <li key={id}>
            <Link className={styles.part ?? ''} href={pageAddress(id)} aria-current={id === page ? 'page' : undefined}>
              {word}
            </Link>
          </li>
        ))}
      </ul>
      {hasAdvanced && (
        <Suspense fallback={null}>
          <AdvancedSwitch isOn={advanced.isOn} set={advanced.set} />
        </Suspense>
      )}
    </nav>
  );
}
