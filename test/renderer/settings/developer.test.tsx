import { userOf } from '../../helpers/snapshots.ts';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { LoggedExchange } from '#shared/api/requestLog.ts';
import { DeveloperPage } from '../../../renderer/src/features/developer/DeveloperPage.tsx';
import { show, station, testContext } from '../support.tsx';

const EXCHANGE: LoggedExchange = {
  id: '17',
  at: '2026-11-20T10:00:00.000Z',
  method: 'POST',
  path: '/api/device/51D000:000001/',
  by: 'ERP',
  credential: 'key',
  address: '10.0.0.5',
  status: 400,
  code: 'invalid',
  ms: 3.14,
  request_bytes: 14,
  answer_bytes: 20,
  user_agent: 'erp/1.0',
  accept: '*/*',
  request: { content_type: 'application/json', bytes: 14, kept: 'whole', text: '{"seconds":-1}' },
  answer: { content_type: 'application/problem+json', bytes: 20, kept: 'whole', text: '{"code":"invalid"}' },
};

async function open(path: string, scope: 'admin' | 'control' = 'admin', logged = [EXCHANGE]) {
  window.history.replaceState(null, '', path);
  const asked: object[] = [];
  const context = testContext(
    { station: { ...station(), user: userOf('Ann', scope) } },
    {
      listRequests({ query }) {
        asked.push(query);
        return Promise.resolve(logged);
      },
      getRequest: () => Promise.resolve(EXCHANGE),
    },
  );
  await act(async () => show(context, <DeveloperPage />));
  return asked;
}

test('lists the latest requests with result and program, and links to the API description', async () => {
  await open('/connections/developer');
  const row = within(screen.getByRole('list', { name: 'Requests, newest first' })).getByRole('link');
  expect(row.textContent).toMatch(/400POST \/api\/device\/51D000:000001\/ERP · Invalid.*3\.1 ms/);
  expect(screen.getByRole('link', { name: /Everything/ }).getAttribute('href')).toBe('/api/openapi.json');
});

test('the filter “Failed” loads only failed requests', async () => {
  const asked = await open('/connections/developer');
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'Failed' })));
  expect(asked.at(-1)).toEqual({ limit: 100, from: 'programs', status: 'failed' });
});

test('keeps filters and search in the address, in the link to an open request, and in the link back', async () => {
  await open('/connections/developer');
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'Failed' })));
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'Both' })));
  await act(async () => fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'orders' } }));
  const query = '?show=failed&from=all&q=orders';
  expect(window.location.search).toBe(query);
  const row = within(screen.getByRole('list', { name: 'Requests, newest first' })).getByRole('link');
  expect(row.getAttribute('href')).toBe(`/connections/developer/17${query}`);
  cleanup();
  const asked = await open(`/connections/developer/17${query}`);
  expect(asked.at(-1)).toEqual({ limit: 100, status: 'failed', path: 'orders' });
  expect(screen.getByRole('link', { name: 'All requests' }).getAttribute('href')).toBe(
    `/connections/developer${query}`,
  );
});

test('an open request shows the request, the response, and a command line to repeat it', async () => {
  await open('/connections/developer/17');
  const page = document.body.textContent ?? '';
  expect(page).toContain('"seconds": -1');
  expect(page).toContain('"code": "invalid"');
  expect(page).toContain(`-d '{"seconds":-1}'`);
  expect(page).toContain('API-KEY: YOUR-KEY');
});

test('a user who is not an admin sees “Admins only”, and the page sends no requests', async () => {
  const asked = await open('/connections/developer', 'control');
  expect(screen.getByRole('heading', { name: 'Admins only' })).toBeTruthy();
  expect(asked).toEqual([]);
});
