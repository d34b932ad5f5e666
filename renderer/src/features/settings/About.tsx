import { Download } from 'lucide-react';
import type { Diagnostics } from '#shared/api/diagnostics.ts';
import { diagnosticsPath } from '../../station/backupApi.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { Button } from '../../ui/Button.tsx';
import { followLink } from '../../ui/download.ts';
import { texts } from '../../ui/texts.ts';
import { useLoaded } from '../../station/useLoaded.ts';
import { Section } from './SettingsGroup.tsx';
import styles from './SettingsPage.module.css';
import { sizeWords } from './sizeWords.ts';

const words = texts.settings.about;
const FILE = 'pickstation-diagnostics.json';

/** What runs here. */
export function About({ isAdmin }: { isAdmin: boolean }) {
  const version = useStationState(({ station }) => station?.version ?? '');
  const devices = useStationState(({ station }) => station?.devices.length ?? 0);
  return (
    <Section title={words.title} lead={isAdmin ? words.lead : words.leadOther}>
      <dl className={styles.facts}>
        <dt>{words.version}</dt>
        <dd>{version}</dd>
        <dt>{words.address}</dt>
        <dd>{window.location.origin}</dd>
        <dt>{words.devices}</dt>
        <dd>{texts.station.devices(devices)}</dd>
        {isAdmin && <ForAdmins />}
        <dt>{words.reference}</dt>
        <dd>
          <a href="/docs/">{words.docs}</a>
        </dd>
      </dl>
      {isAdmin && (
        <footer className={styles.aboutActions}>
          <Button onPress={() => followLink(diagnosticsPath(), FILE)}>
            <Download size={18} aria-hidden="true" />
            {words.download}
          </Button>
        </footer>
      )}
    </Section>
  );
}

function ForAdmins() {
  const { api } = useStationContext();
  const { value, failure } = useLoaded<Diagnostics>('diagnostics', '', () => api.loadDiagnostics());
  if (value === undefined) {
    return (
      <>
        <dt>{words.data}</dt>
        <dd>{failure === '' ? texts.frame.loading : `${words.notLoaded} ${failure}`}</dd>
      </>
    );
  }
  const { node, sqlite, system, data, counts } = value;
  return (
    <>
      <dt>{words.history}</dt>
      <dd>{words.entries(counts.history)}</dd>
      <dt>{words.data}</dt>
      <dd>{words.dataWords(sizeWords(data.database_bytes), sizeWords(data.free_bytes))}</dd>
      <dt>{words.folder}</dt>
      <dd>{data.folder}</dd>
      <dt>{words.node}</dt>
      <dd>
        {node}, {sqlite}
      </dd>
      <dt>{words.system}</dt>
      <dd>{system}</dd>
    </>
  );
}
