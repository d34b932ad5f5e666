import { useRef } from 'react';
import { useRight } from '../../station/context.ts';
import layout from '../../kit/page/Page.module.css';
import { AdminOnly, PageHeader } from '../../kit/page/PageHeader.tsx';
import * as texts from '../../words/texts.ts';
import type { GroupId } from './groups.ts';
import styles from './SettingsPage.module.css';
import { StationSettings } from './StationSettings.tsx';
import { useWantedField } from './useWantedField.ts';

const pages = texts.pages;
/** The Connections pages that consist only of settings. */
const PAGES = {
  callbacks: { title: pages.callbackSettings.title, groups: ['callbacks', 'nonces'] },
  mqtt: { title: pages.mqtt.title, groups: ['mqtt'] },
  folders: { title: pages.folders.title, groups: ['folders'] },
  mail: { title: pages.mail.title, groups: ['mail'] },
} as const satisfies Record<string, { title: string; groups: readonly GroupId[] }>;
export type ConnectionSettings = keyof typeof PAGES;

/** The page with the settings of one connection. */
export function ConnectionSettingsPage({ page }: { page: ConnectionSettings }) {
  const isAdmin = useRight('change_settings');
  const content = useRef<HTMLElement>(null);
  useWantedField(content);
  const { title, groups } = PAGES[page];
  return (
    <div className={layout.page}>
      <PageHeader title={title} />
      <main ref={content} className={`${styles.content} ${styles.alone}`}>
        {isAdmin ? (
          <StationSettings groups={groups.map((id) => ({ id }))} />
        ) : (
          <AdminOnly {...texts.settings.adminOnlyPage} />
        )}
      </main>
    </div>
  );
}
