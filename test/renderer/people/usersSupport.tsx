import { userOf } from '../../helpers/snapshots.ts';
import { act, fireEvent, screen } from '@testing-library/react';
import type { ApiUser, AuditEntry, User } from '#shared/api/access.ts';
import { PeoplePage } from '../../../renderer/src/features/people/PeoplePage.tsx';
import { ProgramsPage } from '../../../renderer/src/features/people/ProgramsPage.tsx';
import type { StationContext } from '../../../renderer/src/station/context.ts';
import { show, station, testContext, type Stubs } from '../support.tsx';

export const AT = '2026-11-20T10:00:00.000Z';

export function person(username: string, given: Partial<User> = {}): User {
  return { username, role: 'picker', created: AT, last_sign_in: AT, sessions: 1, has_pin: false, ...given };
}

export function program(name: string, given: Partial<ApiUser> = {}): ApiUser {
  const rest = { client_id: 'psc_1', created: AT, last_used: null, from_environment: false, old_key_until: null };
  return { id: '7', name, scope: 'control', ...rest, ...given };
}

export function entry(id: string, given: Partial<AuditEntry> = {}): AuditEntry {
  return { id, at: AT, action: 'session.opened', by: 'Ann', subject: '', address: '10.0.0.5', detail: {}, ...given };
}

/** Opens the page at `path`, signed in as Ann. */
export async function openUsers(
  path: string,
  calls: Partial<Stubs>,
  scope: 'admin' | 'control' = 'admin',
): Promise<StationContext> {
  window.history.replaceState(null, '', path);
  const context = testContext({ station: { ...station(), user: userOf('Ann', scope) } }, calls);
  await act(async () => show(context, path.startsWith('/connections') ? <ProgramsPage /> : <PeoplePage />));
  return context;
}

export const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
export const type = (name: string, value: string) =>
  act(async () => fireEvent.change(screen.getByLabelText(name, { selector: 'input' }), { target: { value } }));
export const choose = (name: RegExp) => act(async () => fireEvent.click(screen.getByRole('radio', { name })));
export const send = (name: string) => act(async () => fireEvent.submit(screen.getByRole('form', { name })));

/** Returns the document, the address and the local storage, which are the places where a page could leave secrets. */
export function everythingLeft(): string {
  const stored = Array.from({ length: localStorage.length }, (_, index) => {
    const key = localStorage.key(index) ?? '';
    return `${key} ${localStorage.getItem(key)}`;
  });
  return [document.documentElement.outerHTML, window.location.href, ...stored].join(' ');
}

export async function manage(who: string, what: string): Promise<void> {
  await press(`Manage ${who}`);
  await act(async () => fireEvent.click(screen.getByRole('menuitem', { name: what })));
}
