import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Button } from '../../../renderer/src/kit/button/Button.tsx';
import { Menu } from '../../../renderer/src/kit/menu/Menu.tsx';
import { userOf } from '../../helpers/snapshots.ts';
import { show, station, testContext } from '../support.tsx';

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const as = (scope: 'picker' | 'admin') => testContext({ station: { ...station(), user: userOf('Ann', scope) } });

test('without the required right, a button explains why it is not allowed and does nothing', async () => {
  const run = vi.fn();
  const button = (
    <Button look="primary" needs="create_orders" onPress={run}>
      New order
    </Button>
  );
  const { unmount } = show(as('picker'), button);
  const shown = screen.getByRole('button', { name: 'New order' });
  const why =
    'Your role picker does not allow you to create orders. Ask an admin for the role control, or to give this right to all pickers.';
  expect(document.getElementById(shown.getAttribute('aria-describedby') ?? '')?.textContent).toBe(why);
  await press('New order');
  expect(screen.getByRole('dialog', { name: 'Not allowed' }).textContent).toBe(why);
  expect(run).not.toHaveBeenCalled();
  unmount();
  show(as('admin'), button);
  expect(screen.getByRole('button', { name: 'New order' }).getAttribute('aria-describedby')).toBeNull();
  await press('New order');
  expect(run).toHaveBeenCalledOnce();
});

test('a right granted later enables the button', async () => {
  const run = vi.fn();
  const context = as('picker');
  show(
    context,
    <Button needs="send" onPress={run}>
      Send
    </Button>,
  );
  await act(async () => context.store.setState({ station: { ...station(), user: userOf('Ann', 'admin') } }));
  await press('Send');
  expect(run).toHaveBeenCalledOnce();
});

test('without the required right, a menu item is disabled and names the role that has the right', async () => {
  const run = vi.fn();
  const rows = [{ id: 'remove', words: 'Remove', needs: 'manage_devices', run }] as const;
  show(as('picker'), <Menu label="More" trigger={<Button>More</Button>} groups={[{ rows }]} />);
  await press('More');
  const row = screen.getByRole('menuitem');
  expect(row.textContent).toBe('RemoveRequires the admin role');
  expect(row.getAttribute('aria-disabled')).toBe('true');
  await act(async () => fireEvent.click(row));
  expect(run).not.toHaveBeenCalled();
});
