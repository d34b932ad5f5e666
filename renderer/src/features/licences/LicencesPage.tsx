import { Download } from 'lucide-react';
import { memo, useState } from 'react';
import type { ThirdParty } from '#shared/lib/station/thirdParty.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import button from '../../kit/button/Button.module.css';
import { NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import list from '../../kit/list/ListPage.module.css';
import { PageHeader } from '../../kit/page/PageHeader.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import styles from './LicencesPage.module.css';
import { loadNotices } from './loadNotices.ts';

const words = texts.licences;

/** The page with the licenses of third-party software. */
export function LicencesPage() {
  return (
    <div className={list.page}>
      <PageHeader title={words.title} note={words.note}>
        <FileLink href="/THIRD-PARTY-NOTICES.txt" word={words.text} />
        <FileLink href="/sbom.cdx.json" word={words.sbom} />
      </PageHeader>
      <main className={list.content}>
        <div className={list.inner}>
          <p className={styles.own}>{words.own}</p>
          <Packages />
        </div>
      </main>
    </div>
  );
}

function FileLink({ href, word }: { href: string; word: string }) {
  return (
    <a href={href} download className={button.button} data-look="plain">
      <Download size={16} aria-hidden="true" />
      {word}
    </a>
  );
}

function Packages() {
  const notices = useStationQuery(['notices'], loadNotices, { isKept: true });
  const { value } = notices;
  if (value === undefined) return <NotLoaded of={notices} />;
  return (
    <ul className={list.list} aria-label={words.list}>
      {value.packages.map((one) => (
        <PackageRow key={`${one.inside} ${one.name} ${one.version}`} about={one} text={value.texts[one.text] ?? ''} />
      ))}
    </ul>
  );
}

/** A package as one line, which expands to the package's license. */
const PackageRow = memo(function PackageRow({ about, text }: { about: ThirdParty; text: string }) {
  const { name, version, licence, url, inside } = about;
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={styles.row}>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span className={parts.strong}>{name}</span> <span className={parts.figures}>{shortVersion(version)}</span>{' '}
          {inside !== '' && <span className={parts.small}>{words.inside(inside)}</span>}
          <span className={styles.licence}>{licence}</span>
        </summary>
        {isOpen && (
          <>
            {url !== '' && (
              <p className={styles.source}>
                {words.source}: {url}
              </p>
            )}
            <pre className={styles.text}>{text}</pre>
          </>
        )}
      </details>
    </li>
  );
});

/** Shortens commit hashes, because parts of Skia have one as their version. */
function shortVersion(version: string): string {
  return /^[\da-f]{40}$/.test(version) ? version.slice(0, 12) : version;
}
