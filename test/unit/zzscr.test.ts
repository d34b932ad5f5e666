import { test } from 'vitest';
import { startTestStation } from '../helpers/startTestStation.ts';
test('x', async () => {
  const station = await startTestStation({ simulate: 1, refreshMs: 0 });
  await station.clock.advance(5000);
  await station.patch('/api/simulator/devices/51D000:000001/', { reachable: false });
  await station.clock.advance(5000);
  await station.post(`/api/device/51D000:000001/`, { line1: 'a', seconds: 0 });
  await station.clock.advance(5000);
  await station.patch('/api/simulator/devices/51D000:000001/', { reachable: true });
  for (let i=0;i<20;i++) {
  await station.clock.advance(5000);
  const d = await station.device('51D000:000001');
  console.log(i, d.online, d.commands[0]?.state, d.displayed?.command_id); }
  await station.stop();
});
