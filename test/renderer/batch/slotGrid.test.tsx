import { render } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { expect, test, vi } from 'vitest';
import { SlotGrid } from '../../../renderer/src/features/pick/batch/SlotGrid.tsx';

test('scrolls to a slot once it is to be filled, because a low screen shows only a part of the slots', () => {
  const names: (string | null)[] = [];
  const seen = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function scrolled(this: Element) {
    names.push(this.textContent);
  });
  const slots: ComponentProps<typeof SlotGrid>['slots'] = ['A1', 'B1', 'C1'].map((slot) => ({
    slot,
    state: 'free',
    order_number: null,
    shares: [],
  }));
  const draw = (...lit: string[]) => (
    <SlotGrid rows={3} columns={1} slots={slots} lit={new Map(lit.map((slot) => [slot, 2]))} />
  );
  const { rerender } = render(draw());
  expect(seen).not.toHaveBeenCalled();
  rerender(draw('C1'));
  rerender(draw('C1'));
  rerender(draw('B1', 'C1'));
  expect(names.map((name) => name?.match(/[A-C]1/)?.[0])).toEqual(['C1', 'B1']);
});
