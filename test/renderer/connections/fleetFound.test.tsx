import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { FoundList } from '../../../renderer/src/features/fleet/FoundList.tsx';
import type { FleetHit } from '../../../renderer/src/features/fleet/fleetRows.ts';
import { show, testContext } from '../support.tsx';

const NOTHING_MORE = { status: 'loaded', value: [], isUnderWay: false, reload: () => undefined } as const;

test('shows the first fifty of a thousand results, and fifty more on request', () => {
  const hits = Array.from({ length: 1_000 }, (_, index): FleetHit => {
    const station = `shop-${index}`;
    return { key: station, station, name: station, url: '', online: true, text: station, matched: 'station' };
  });
  show(testContext(), <FoundList hits={hits} finding={NOTHING_MORE} own="" />);
  expect(screen.getAllByRole('listitem')).toHaveLength(50);
  fireEvent.click(screen.getByRole('button', { name: 'Show 50 more' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(100);
});
