import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { FleetAlerts } from '../../../renderer/src/features/fleet/FleetAlerts.tsx';
import { AT } from '../../helpers/snapshots.ts';
import { show, testContext } from '../support.tsx';

test('lists alerts from other stations, including kinds that this station does not know', () => {
  const alert = { station: 'berlin', about: 'A-1', location: '', since: AT, problem: '' };
  const kinds = ['battery_low', 'flooded', '__proto__', 'constructor'];
  const alerts = kinds.map((kind) => ({ ...alert, kind }));
  show(testContext(), <FleetAlerts fleet={{ state: 'connected', problem: null, since: AT, stations: [], alerts }} />);
  for (const words of ['Battery low', 'flooded', '__proto__', 'constructor'])
    expect(screen.getByText(new RegExp(`^${words}`))).toBeDefined();
});
