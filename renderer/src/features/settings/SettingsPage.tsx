import { SearchX } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { SoundSettings } from '../../sound/SoundControls.tsx';
import { useRight } from '../../station/context.ts';
import { useUpdateNews } from '../../station/updates.ts';
import { Button } from '../../kit/button/Button.tsx';
import { EmptyState } from '../../kit/feedback/EmptyState.tsx';
import { SearchedProvider } from '../../kit/Marked.tsx';
import { SearchBox, useSearch } from '../../kit/field/SearchBox.tsx';
import { PageHeader } from '../../kit/page/PageHeader.tsx';
import layout from '../../kit/page/Page.module.css';
import parts from '../../kit/parts.module.css';
import { useAdvanced } from '../../shop/advancedChoice.ts';
import * as texts from '../../words/texts.ts';
import { About, AccountForm } from './AccountForm.tsx';
import { groupsFor, isFound } from './groups.ts';
import { Section } from './SettingsGroup.tsx';
import { HiddenGroups, SettingsIndex, useReadGroup } from './SettingsIndex.tsx';
import { StationSettings } from './StationSettings.tsx';
import styles from './SettingsPage.module.css';
import { useWantedField } from './useWantedField.ts';

const words = texts.settings;

export function SettingsPage() {
  const isAdmin = useRight('change_settings');
  const advanced = useAdvanced();
  const search = useSearch();
  const content = useRef<HTMLElement>(null);
  const all = useMemo(() => groupsFor(isAdmin, advanced.isOn), [isAdmin, advanced.isOn]);
  const found = useMemo(() => all.filter(({ id }) => isFound(id, search.typed)), [all, search.typed]);
  const hidden = useMemo(
    () => new Set(all.filter((group) => !found.includes(group)).map(({ id }) => id)),
    [all, found],
  );
  const current = useReadGroup(content, found);
  useWantedField(content);
  const updates = useUpdateNews();
  // Scroll to the first match.
  useEffect(() => {
    if (search.typed.trim() !== '')
      content.current?.querySelector('section:not([hidden]) mark')?.scrollIntoView({ block: 'center' });
  }, [search.typed]);
  return (
    <div className={layout.page}>
      <PageHeader title={words.title}>
        <SearchBox {...search} label={words.index.search} clearLabel={words.index.clear} />
      </PageHeader>
      <div className={styles.frame}>
        <SettingsIndex
          groups={found}
          current={current}
          news={{ updates }}
          go={(id) => document.getElementById(id)?.scrollIntoView()}
        />
        <main ref={content} className={styles.content}>
          <SearchedProvider value={search.typed.trim()}>
            <HiddenGroups value={hidden}>
              {isAdmin ? <StationSettings groups={all} /> : <p className={parts.quiet}>{words.adminOnly}</p>}
              <About isAdmin={isAdmin} />
              <Section id="sound" title={texts.sound.title} lead={texts.sound.lead}>
                <SoundSettings />
              </Section>
              <AccountForm />
            </HiddenGroups>
          </SearchedProvider>
          {found.length === 0 && (
            <EmptyState
              picture={<SearchX size={32} strokeWidth={1.6} />}
              {...words.index.none}
              action={<Button words={words.index.clear} onPress={() => search.onChange('')} />}
            />
          )}
        </main>
      </div>
    </div>
  );
}
