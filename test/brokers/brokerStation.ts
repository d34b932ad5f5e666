import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';

/** Starts a station with two simulated devices that uses mosquitto at this port, below `shop/{id}`. */
export async function openAt(
  port: number,
  id: string,
  { seed, ...settings }: { seed: number } & Record<string, unknown>,
) {
  const station = await startTestStation({ simulate: 2, refreshMs: 0, seed });
  const mqttSettings = { mqtt_url: `mqtt://127.0.0.1:${port}`, mqtt_prefix: 'shop', mqtt_station: id, backup_every: 0 };
  await station.patch('/api/settings/', { ...mqttSettings, ...settings });
  await settle(station);
  return station;
}

/** Lets the station publish what it collects before it publishes. */
export async function settle(station: TestStation): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await station.clock.advance(600);
}
