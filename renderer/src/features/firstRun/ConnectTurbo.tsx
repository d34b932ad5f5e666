import { useStationState } from '../../station/context.ts';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './WelcomePage.module.css';

const words = texts.welcome.connect;

type Props = { back(): void; finish(deviceid: string | undefined): void };

/** Which turbos are heard, as they come, and what cannot be connected yet. */
export function ConnectTurbo({ back, finish }: Props) {
  const turbos = useStationState(({ station }) => station?.turbos ?? NONE);
  const first = useStationState(({ places }) => places[0]);
  return (
    <>
      <section className={styles.turbos} aria-label={words.heard}>
        <h2>{words.heard}</h2>
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
      <p className={styles.note}>{words.later}</p>
      <div className={styles.actions}>
        <Button onPress={back}>{words.back}</Button>
        <Button look="primary" onPress={() => finish(first?.deviceid)}>
          {first === undefined ? words.go : words.goAndFlash(first.name)}
        </Button>
      </div>
    </>
  );
}

const NONE = [] as const;
