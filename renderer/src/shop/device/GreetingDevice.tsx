import type { Displayed } from '#shared/api/device.ts';
import { EMPTY_SCREEN } from '#shared/screen/content.ts';
import { LateScreen } from '../screen/LateScreen.tsx';
import styles from './GreetingDevice.module.css';
import { Led, ledStyle } from './Led.tsx';

/** A sample device on the sign-in page, which shows what the product does. */
export function GreetingDevice({
  screen,
  led,
}: {
  screen: { label: string; lines: readonly string[] };
  led: Displayed['led'];
}) {
  return (
    <div className={styles.device} style={ledStyle(led)} aria-hidden="true">
      <div className={styles.screen}>
        <LateScreen
          screen={{ ...EMPTY_SCREEN, ...screen }}
          firmware={70}
          batteryMv={2_980}
          scale="whole"
          blankWords=""
        />
      </div>
      <Led led={led} size="panel" />
    </div>
  );
}
