import { NO_TEMPLATE } from '#shared/lib/requests/screenTemplate.ts';
import { wholeReasons } from '#shared/lib/orders/shortReasons.ts';
import { act, fireEvent, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { FoldersStatus } from '#shared/api/folders.ts';
import { DEFAULT_SETTINGS, type SettingsAnswer, type SettingsChange } from '#shared/api/settings.ts';
import type { GroupId } from '../../../renderer/src/features/settings/groups.ts';
import { SettingsPage } from '../../../renderer/src/features/settings/SettingsPage.tsx';
import { StationSettings } from '../../../renderer/src/features/settings/StationSettings.tsx';
import type { StationContext } from '../../../renderer/src/station/context.ts';
import type { ApiError } from '../../../renderer/src/words/apiError.ts';
import { userOf } from '../../helpers/snapshots.ts';
import { NO_BROKER, show, station, testContext, type Stubs } from '../support.tsx';

export const SAVED: SettingsAnswer = {
  ...DEFAULT_SETTINGS,
  callback_url: 'https://erp.example/pick',
  callback_headers: { 'X-Site': 'harbour' },
  public_urls: ['https://one.example/'],
  callback_api_key_set: true,
  callback_password_set: false,
  callback_signing_secret_set: false,
  mail_password_set: false,
  mqtt_password_set: false,
  mqtt_key_set: false,
  unreadable_secrets: [],
  unreadable_others: [],
  invalid_settings: [],
  exposure: {
    listens: 'this_machine',
    host_argument: '',
    port_argument: null,
    addresses: ['http://127.0.0.1:4680/'],
    certificate: null,
    next_start: [],
    warnings: [],
  },
};

export const NO_FOLDERS: FoldersStatus = {
  inbox: { state: 'off', problem: null, last: null },
  outbox: { state: 'off', problem: null, waiting: 0, last: null },
  sheet: { state: 'off', problem: null, last_read: null, orders: 0, refused: null },
};

/** Returns a fake station that records changes and returns the resulting settings. */
export function settingsApi(refuse?: ApiError, first = SAVED): { calls: SettingsChange[]; api: Partial<Stubs> } {
  const calls: SettingsChange[] = [];
  let saved = first;
  return {
    calls,
    api: {
      getMqtt: () => Promise.resolve(NO_BROKER),
      getMail: () => Promise.resolve({ on: false, waiting: 0, last_sent: null, last_error: null }),
      getFolders: () => Promise.resolve(NO_FOLDERS),
      getSettings: () => Promise.resolve(saved),
      changeSettings(change) {
        calls.push(change);
        if (refuse !== undefined) return Promise.reject(refuse);
        const {
          callback_families,
          callback_api_key,
          callback_password: _p,
          callback_signing_secret: _s,
          mail_password: _m,
          short_reasons: reasons = saved.short_reasons,
          screen_template: template = saved.screen_template,
          ...open
        } = change;
        saved = {
          ...saved,
          ...open,
          short_reasons: wholeReasons(reasons),
          screen_template: { ...NO_TEMPLATE, ...template },
          callback_families: { ...saved.callback_families, ...callback_families },
          callback_api_key_set: callback_api_key === undefined ? saved.callback_api_key_set : callback_api_key !== null,
        };
        return Promise.resolve(saved);
      },
    },
  };
}

export async function open(
  api: Partial<Stubs>,
  scope: 'admin' | 'control' = 'admin',
  page: ReactNode = <SettingsPage />,
): Promise<StationContext> {
  const context = testContext({ station: { ...station(), user: userOf('Ann', scope) } }, api);
  const drawn = (
    <>
      <Link href="/">elsewhere</Link>
      {page}
    </>
  );
  await act(async () => show(context, drawn));
  return context;
}

/** Opens only these groups, because rendering all of them is slow. */
export function openGroups(api: Partial<Stubs>, ...ids: GroupId[]): Promise<StationContext> {
  return open(api, 'admin', <StationSettings groups={ids.map((id) => ({ id }))} />);
}

export const group = (name: string) => within(screen.getByRole('form', { name }));
export const field = (name: string) => screen.getByRole('textbox', { name });
export const fill = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
export const save = (name: string) => act(async () => fireEvent.submit(screen.getByRole('form', { name })));

/** Chooses an option in a list. `label` is a pattern for the end of the list's name. */
export async function choose(label: string, choice: string): Promise<void> {
  await act(async () => fireEvent.click(screen.getByRole('button', { name: new RegExp(`${label}$`) })));
  await act(async () => fireEvent.click(screen.getByRole('option', { name: choice })));
}
