import { forgetStation } from '../../../renderer/src/station/live/store.ts';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { tell } from '../frame/panelSupport.tsx';
import { SAVED, settingsApi, open, openGroups, group, field, fill, save } from './settingsPageSupport.tsx';

beforeEach(() => window.history.replaceState(null, '', '/settings'));

test('each group saves only its own changes', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'callbacks', 'defaults');
  fill('Callback URL', 'https://erp.example/new');
  fireEvent.click(screen.getByRole('switch', { name: 'Alerts' }));
  fireEvent.change(screen.getByRole('combobox', { name: 'LED color' }), { target: { value: 'blue' } });
  await save('Callbacks');
  expect(calls).toEqual([{ callback_url: 'https://erp.example/new', callback_families: { condition: true } }]);
  expect(screen.getByText('Callbacks: saved.')).toBeTruthy();
  expect(screen.getByRole('combobox', { name: 'LED color' })).toHaveProperty('value', 'blue');
  await save('Defaults');
  expect(calls[1]).toEqual({ default_color: 'blue' });
});

test('edits reasons for a short as lines with a key and its text', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'orders');
  expect(field('Reasons for a short')).toHaveProperty('value', 'missing\ndamaged\nwrong_item\nother');
  fill('Reasons for a short', 'missing = Not on the shelf\nlost\n damaged=\nother');
  await save('Orders');
  const reasons = [{ key: 'missing', text: 'Not on the shelf' }, { key: 'lost' }, { key: 'damaged' }, { key: 'other' }];
  expect(calls).toEqual([{ short_reasons: reasons }]);
  expect(field('Reasons for a short')).toHaveProperty(
    'value',
    'missing = Not on the shelf\nlost\ndamaged\nother\nwrong_item',
  );
});

test('saves how many days customers and notes are kept', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'kept');
  fill('Days to keep customers and notes', '30');
  fireEvent.blur(field('Days to keep customers and notes'));
  await save('Retention');
  expect(calls).toEqual([{ history_customer_days: 30 }]);
});

test('warns that turning off the request log deletes the kept requests', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'requestLog');
  const keep = screen.getByRole('switch', { name: /^Keep the last 1,000 requests/ });
  expect(keep).toHaveProperty('checked', true);
  expect(screen.queryByText(/Saving clears the kept requests/)).toBeNull();
  fireEvent.click(keep);
  expect(screen.getByText(/Saving clears the kept requests/)).toBeTruthy();
  await save('Request log');
  expect(calls).toEqual([{ request_log: false }]);
  expect(screen.queryByText(/Saving clears the kept requests/)).toBeNull();
});

test('if somebody else changed the same setting, shows the refusal and their values, and keeps the input', async () => {
  const { calls, api } = settingsApi();
  const theirs = { ...SAVED, callback_url: 'https://theirs.example/', callback_timeout: 20 };
  const based: unknown[] = [];
  let loaded = SAVED;
  await openGroups(
    {
      ...api,
      getSettings: () => Promise.resolve(loaded),
      changeSettings(change, read) {
        calls.push(change);
        based.push(read);
        if (read === theirs) return Promise.resolve({ ...theirs, ...change } as typeof SAVED);
        loaded = theirs;
        const errors = [{ path: '/callback_url', message: 'It has changed since you read it.' }];
        return Promise.reject(new ApiError('changed', 'Changed since you read it: callback_url.', errors));
      },
    },
    'callbacks',
  );
  fill('Callback URL', 'https://mine.example/');
  await save('Callbacks');
  expect(screen.getByText(/It has changed since you read it/)).toBeTruthy();
  expect(field('Callback URL')).toHaveProperty('value', 'https://mine.example/');
  expect(screen.getByRole('textbox', { name: /^Time limit/ })).toHaveProperty('value', '20');
  const theirChanges = screen.getByRole('group', { name: 'Somebody else has changed this' });
  expect(within(theirChanges).getByRole('listitem').textContent).toBe(
    `Callback URL is now “${theirs.callback_url}”. You typed “https://mine.example/”.`,
  );
  await save('Callbacks');
  expect(calls).toEqual([{ callback_url: 'https://mine.example/' }, { callback_url: 'https://mine.example/' }]);
  expect(based).toEqual([SAVED, theirs]);
  expect(screen.getByText('Callbacks: saved.')).toBeTruthy();
});

test("keeps what is typed while settings are saved, without showing it as somebody else's change", async () => {
  const { api } = settingsApi();
  const answer = Promise.withResolvers<undefined>();
  await openGroups(
    {
      ...api,
      async changeSettings(change) {
        await answer.promise;
        return { ...SAVED, ...change } as typeof SAVED;
      },
    },
    'callbacks',
  );
  fill('Callback URL', ' https://first.example/');
  await save('Callbacks');
  fill('Callback URL', 'https://second.example/');
  await act(async () => answer.resolve(undefined));
  expect(field('Callback URL')).toHaveProperty('value', 'https://second.example/');
  expect(screen.queryByRole('group', { name: 'Somebody else has changed this' })).toBeNull();
  expect(group('Callbacks').getByRole('button', { name: 'Save' })).toHaveProperty('disabled', false);
});

test('can adopt the value that somebody else has saved in the meantime', async () => {
  const theirs = { ...SAVED, callback_url: 'https://theirs.example/' };
  let loaded = SAVED;
  const { api } = settingsApi();
  await openGroups(
    {
      ...api,
      getSettings: () => Promise.resolve(loaded),
      changeSettings() {
        loaded = theirs;
        return Promise.reject(new ApiError('changed', 'Changed since you read it: callback_url.', []));
      },
    },
    'callbacks',
  );
  fill('Callback URL', 'https://mine.example/');
  await save('Callbacks');
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Use theirs' })));
  expect(field('Callback URL')).toHaveProperty('value', 'https://theirs.example/');
  expect(screen.queryByRole('button', { name: 'Save mine' })).toBeNull();
  expect(group('Callbacks').getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
});

/** Opens settings that somebody else can change as well. Returns the settings on which each change was based as `based`. */
async function openFollowed() {
  const { calls, api } = settingsApi();
  let saved = SAVED;
  const based: (typeof SAVED | undefined)[] = [];
  const context = await openGroups(
    {
      ...api,
      getSettings: () => Promise.resolve(saved),
      changeSettings(change, read) {
        calls.push(change);
        based.push(read);
        saved = { ...saved, ...change } as typeof SAVED;
        return Promise.resolve(saved);
      },
    },
    'callbacks',
  );
  const changeElsewhere = async (change: Partial<typeof SAVED>): Promise<typeof SAVED> => {
    saved = { ...saved, ...change };
    await tell(context, { type: 'settings.changed' });
    return saved;
  };
  return { calls, based, changeElsewhere, store: context.store };
}

test('shows changes made elsewhere immediately, keeps typed values of other fields, and saves only those', async () => {
  const { calls, based, changeElsewhere } = await openFollowed();
  fill('Callback URL', 'https://mine.example/');
  await changeElsewhere({ callback_timeout: 20 });
  expect(screen.getByRole('textbox', { name: /^Time limit/ })).toHaveProperty('value', '20');
  expect(field('Callback URL')).toHaveProperty('value', 'https://mine.example/');
  expect(screen.queryByRole('group', { name: 'Somebody else has changed this' })).toBeNull();
  await save('Callbacks');
  expect(calls).toEqual([{ callback_url: 'https://mine.example/' }]);
  // The change stays based on the first read, so that the station detects changes that the page has missed.
  expect(based).toEqual([SAVED]);
});

test('shows a change made elsewhere to the same field before it is overwritten, even while the user keeps typing', async () => {
  const { calls, based, changeElsewhere } = await openFollowed();
  fill('Callback URL', 'https://mine.example/');
  const theirs = await changeElsewhere({ callback_url: 'https://theirs.example/' });
  fill('Callback URL', 'https://mine.example/2');
  expect(
    screen.getByText('Callback URL is now “https://theirs.example/”. You typed “https://mine.example/2”.'),
  ).toBeTruthy();
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Save mine' })));
  expect(calls).toEqual([{ callback_url: 'https://mine.example/2' }]);
  expect(based).toEqual([theirs]);
  expect(screen.queryByRole('button', { name: 'Save mine' })).toBeNull();
});

test('keeps the input when the session ends, until somebody has signed in again', async () => {
  const { calls, store } = await openFollowed();
  fill('Callback URL', 'https://mine.example/');
  const before = store.getState();
  await act(async () => forgetStation(store));
  await act(async () => store.setState({ connection: { kind: 'lost', sinceAt: 0 } }));
  expect(field('Callback URL')).toHaveProperty('value', 'https://mine.example/');
  await act(async () => store.setState({ ...before, snapshots: before.snapshots + 2 }));
  expect(field('Callback URL')).toHaveProperty('value', 'https://mine.example/');
  await save('Callbacks');
  expect(calls).toEqual([{ callback_url: 'https://mine.example/' }]);
});

test('a field that was changed back to its old value follows a change made elsewhere', async () => {
  const { changeElsewhere } = await openFollowed();
  fill('Callback URL', 'x');
  fill('Callback URL', SAVED.callback_url);
  await changeElsewhere({ callback_url: 'https://theirs.example/' });
  expect(field('Callback URL')).toHaveProperty('value', 'https://theirs.example/');
  expect(group('Callbacks').getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
});

test('changing a field back to its old value is not a change', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'callbacks');
  fill('Callback URL', 'x');
  expect(group('Callbacks').getByRole('button', { name: 'Save' })).toHaveProperty('disabled', false);
  fill('Callback URL', SAVED.callback_url);
  expect(group('Callbacks').getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
  await save('Callbacks');
  expect(calls).toEqual([]);
});

test('converts lines to lists and headers', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'callbacks', 'network');
  fill('More headers', 'X-Site: harbour\n\n X-Shift:  early \n');
  await save('Callbacks');
  fill('More addresses of this station', 'https://one.example/\nhttps://two.example/');
  await save('Network and security');
  expect(calls).toEqual([
    { callback_headers: { 'X-Site': 'harbour', 'X-Shift': 'early' } },
    { public_urls: ['https://one.example/', 'https://two.example/'] },
  ]);
});

test('reports an invalid header before it sends anything', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'callbacks');
  fill('More headers', 'no colon');
  await save('Callbacks');
  expect(calls).toEqual([]);
  expect(field('More headers').getAttribute('aria-invalid')).toBe('true');
  expect(field('More headers')).toHaveProperty('value', 'no colon');
});

test('reports a refusal by the station at its field, and keeps the input', async () => {
  const refusal = new ApiError('invalid', 'The request is not valid', [
    { path: '/public_urls/1', message: 'A URL starts with http:// or https:// and names a host.' },
  ]);
  const { api } = settingsApi(refusal);
  await openGroups(api, 'network');
  fill('More addresses of this station', 'https://one.example/\nnowhere');
  await save('Network and security');
  const addresses = field('More addresses of this station');
  expect(addresses).toHaveProperty('value', 'https://one.example/\nnowhere');
  expect(addresses.getAttribute('aria-invalid')).toBe('true');
  const described = (addresses.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent);
  expect(described).toContain('Line 2: A URL starts with http:// or https:// and names a host.');
  expect(group('Network and security').getByRole('alert').textContent).toBe('Not saved. Correct the marked fields.');
});

test('reports that the station does not answer, and keeps the input', async () => {
  const { api } = settingsApi(new ApiError('unreachable', 'The station does not answer.'));
  await openGroups(api, 'callbacks');
  fill('Callback URL', 'https://typed.example/');
  await save('Callbacks');
  expect(group('Callbacks').getByRole('alert').textContent).toBe('The station does not answer.');
  expect(field('Callback URL')).toHaveProperty('value', 'https://typed.example/');
});

test('never shows a secret, and can replace, clear or keep it', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'callbacks');
  const key = () => screen.getByRole('group', { name: 'API key of your system' });
  expect(key().textContent).toContain('Set. It is never shown.');
  fireEvent.click(screen.getByRole('button', { name: 'Clear: API key of your system' }));
  expect(key().textContent).toContain('Will be cleared when you save.');
  fireEvent.click(screen.getByRole('button', { name: 'Keep: API key of your system' }));
  await save('Callbacks');
  expect(calls).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Replace: API key of your system' }));
  await save('Callbacks');
  expect(calls, 'nothing typed replaces nothing').toEqual([]);
  fireEvent.change(screen.getByLabelText('API key of your system'), { target: { value: 'new' } });
  await save('Callbacks');
  fireEvent.click(screen.getByRole('button', { name: 'Clear: API key of your system' }));
  await save('Callbacks');
  expect(calls).toEqual([{ callback_api_key: 'new' }, { callback_api_key: null }]);
  expect(key().textContent).toContain('Not set.');
});

test('reports an unknown color at its field with a suggestion', async () => {
  const { calls, api } = settingsApi();
  await openGroups(api, 'defaults');
  const color = screen.getByRole('combobox', { name: 'LED color' });
  fireEvent.change(color, { target: { value: 'grene' } });
  await save('Defaults');
  expect(screen.getByText('“grene” is not a color. Use green or #rrggbb.')).toBeTruthy();
  expect(document.activeElement).toBe(color);
  expect(calls).toEqual([]);
});

test('asks before leaving with unsaved changes: Stay keeps them, and Leave discards them', async () => {
  const { api } = settingsApi();
  await openGroups(api, 'callbacks');
  fill('Callback URL', 'https://typed.example/');
  fireEvent.click(screen.getByText('elsewhere'));
  expect(window.location.pathname).toBe('/settings');
  fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Stay' }));
  expect(field('Callback URL')).toHaveProperty('value', 'https://typed.example/');
  fireEvent.click(screen.getByText('elsewhere'));
  await act(async () =>
    fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Leave' })),
  );
  expect(window.location.pathname).toBe('/');
});

test('does not ask before leaving or closing the window without unsaved changes', async () => {
  const { api } = settingsApi();
  await openGroups(api, 'callbacks');
  const closing = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(closing()).toBe(false);
  fill('Callback URL', 'https://typed.example/');
  expect(closing()).toBe(true);
  await save('Callbacks');
  expect(closing()).toBe(false);
  fireEvent.click(screen.getByText('elsewhere'));
  expect(window.location.pathname).toBe('/');
});

test('a user who is not an admin sees why settings are missing, but can change the password', async () => {
  await open({}, 'control');
  expect(screen.getByText(/^Only admins can change/)).toBeTruthy();
  expect(screen.queryByRole('textbox', { name: 'Port' })).toBeNull();
  expect(screen.getByLabelText('Current password')).toBeTruthy();
});

test('can retry if the settings could not be loaded', async () => {
  let tries = 0;
  await openGroups(
    {
      getSettings: () =>
        ++tries === 1
          ? Promise.reject(new ApiError('unreachable', 'The station does not answer.'))
          : Promise.resolve(SAVED),
    },
    'callbacks',
  );
  expect(screen.getByText('The station does not answer.')).toBeTruthy();
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' })));
  expect(field('Callback URL')).toHaveProperty('value', SAVED.callback_url);
});
