import { type BrokerClient, type BrokerConnection, type BrokerEvents, BrokerFault } from '../ports/broker.ts';
import type { CurrentSettings } from '../services/settings/index.ts';

type How = { clientId: string; sessionS: number; will: { topic: string; payload: string } | undefined };

/** Creates a connector to the broker in the settings, which uses the newest MQTT version that the broker supports. */
export function createConnector({ client, settings }: { client: BrokerClient; settings: CurrentSettings }) {
  let protocol: BrokerConnection['protocol'] = '5';
  const attempts = new Set<{ giveUp(): void }>();
  return {
    protocol: () => protocol,
    /** Makes the next attempt use MQTT 5 again, because the broker may support it by now. */
    tryNewest: (): void => void (protocol = '5'),
    async connect(how: How, events: BrokerEvents): Promise<BrokerConnection> {
      const { mqtt_url: url, mqtt_username: username, mqtt_password, mqtt_ca, mqtt_cert, mqtt_key } = settings;
      const signIn = {
        url,
        username,
        password: mqtt_password ?? '',
        ca: mqtt_ca.trim() === '' ? undefined : mqtt_ca,
        certificate: mqtt_cert.trim() === '' || mqtt_key === null ? undefined : { cert: mqtt_cert, key: mqtt_key },
        ...how,
      };
      for (;;) {
        const attempt = client.connect(signIn, protocol, events);
        attempts.add(attempt);
        try {
          return await attempt.ready;
        } catch (error) {
          if (!(error instanceof BrokerFault) || !error.isOldProtocol || protocol !== '5') throw error;
          protocol = '3.1.1';
        } finally {
          attempts.delete(attempt);
        }
      }
    },
    giveUp(): void {
      for (const attempt of attempts) attempt.giveUp();
    },
  };
}

export type BrokerConnector = ReturnType<typeof createConnector>;

/** Pauses after consecutive failures, in milliseconds. The last pause repeats. */
const PAUSES_MS = [1_000, 2_000, 5_000, 10_000, 30_000];
/** Pause after the broker refused the station, in milliseconds. */
const REFUSED_MS = 60_000;

/** Returns the time in milliseconds until the next attempt. */
export function pauseAfter(fault: BrokerFault, failures: number): number {
  if (fault.isRefusal) return REFUSED_MS;
  return PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? REFUSED_MS;
}
