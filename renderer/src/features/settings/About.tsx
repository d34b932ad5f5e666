import { useStationState } from '../../station/context.ts';
import { texts } from '../../ui/texts.ts';
import { Section } from './SettingsGroup.tsx';
import styles from './SettingsPage.module.css';

const words = texts.settings.about;

/** What runs here. */
export function About() {
  const version = useStationState(({ station }) => station?.version ?? '');
  const devices = useStationState(({ station }) => station?.devices.length ?? 0);
  return (
    <Section title={words.title} lead={words.lead}>
      <dl className={styles.facts}>
        <dt>{words.version}</dt>
        <dd>{version}</dd>
        <dt>{words.address}</dt>
        <dd>{window.location.origin}</dd>
        <dt>{words.devices}</dt>
        <dd>{texts.station.devices(devices)}</dd>
        <dt>{words.reference}</dt>
        <dd>
          <a href="/docs/">{words.docs}</a>
        </dd>
      </dl>
    </Section>
  );
}
