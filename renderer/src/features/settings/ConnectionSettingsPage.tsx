import { useRef } from 'react';
import { useRight } from '../../station/context.ts';
import layout from '../../kit/page/Page.module.css';
import { AdminOnly, PageHeader } from '../../kit/page/PageHeader.tsx';
import * as texts from '../../words/texts.ts';
import type { GroupId } from './groups.ts';
import styles from './SettingsPage.module.css';
import { StationSettings } from './StationSettings.tsx';
import { useWantedField } from './useWantedField.ts';

/** Groups that are a page of Connections. */
export type ConnectionGroup = Extract<GroupId, 'callbacks' | 'mqtt' | 'folders' | 'mail'>;

const pages = texts.pages;
const TITLES: Readonly<Record<ConnectionGroup, string>> = {
  callbacks: pages.callbackSettings.title,
  mqtt: pages.mqtt.title,
  folders: pages.folders.title,
  mail: pages.mail.title,
};

/** How is this connection set up? */
export function ConnectionSettingsPage({ group }: { group: ConnectionGroup }) {
  const isAdmin = useRight('change_settings');
  const content = useRef<HTMLElement>(null);
  useWantedField(content);
  return (
    <div className={layout.page}>
      <PageHeader title={TITLES[group]} />
      <main ref={content} className={`${styles.content} ${styles.alone}`}>
        {isAdmin ? <StationSettings groups={[{ id: group }]} /> : <AdminOnly {...texts.settings.adminOnlyPage} />}
      </main>
    </div>
  );
}
