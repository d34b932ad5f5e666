import { useStationState } from '../../station/context.ts';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import { ConnectMenu } from '../connect/ConnectMenu.tsx';
import styles from './WelcomePage.module.css';

const words = texts.welcome.connect;

type Props = { back(): void; finish(deviceid: string | undefined): void };

/** Connects a turbo, and tells which are heard, as they come. */
export function ConnectTurbo({ back, finish }: Props) {
  const turbos = useStationState(({ station }) => station?.turbos ?? NONE);
  const first = useStationState(({ places }) => places[0]);
  return (
    <>
      <section className={styles.turbos} aria-label={words.heard}>
        <header className={styles.turbosHead}>
          <h2>{words.heard}</h2>
          <ConnectMenu />
        </header>
        {turbos.length === 0 ? (
          <p className={styles.quiet} role="status">
            {words.none}
          </p>
        ) : (
          <ul>
            {turbos.map((turbo) => (
              <li key={turbo.serial_number} className={styles.turbo}>
                <span className={styles.turboName}>{turbo.name === '' ? turbo.serial_number : turbo.name}</span>
                <span className={styles.quiet}>
                  {[words.transport[turbo.transport], turbo.status, texts.station.devices(turbo.device_count)].join(
                    ' · ',
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <div className={styles.actions}>
        <Button onPress={back}>{words.back}</Button>
        <Button look={first === undefined ? 'plain' : 'primary'} onPress={() => finish(first?.deviceid)}>
          {first === undefined ? words.go : words.goAndFlash(first.name)}
        </Button>
      </div>
    </>
  );
}

const NONE = [] as const;
