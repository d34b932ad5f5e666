import { settingsAnswerSchema, settingsChangeSchema } from '#shared/api/settings.ts';
import type { Devices } from '../../services/devices/index.ts';
import type { SettingsService } from '../../services/settings/index.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import type { StationListener } from '../listener.ts';

export function settingsEndpoints(parts: {
  settings: SettingsService;
  devices: Pick<Devices, 'acceptWaiting'>;
  listener: Pick<StationListener, 'apply' | 'answer' | 'check'>;
}): Endpoint[] {
  const { settings, devices, listener } = parts;
  return [
    endpoint({
      method: 'GET',
      path: '/api/settings/',
      tag: 'settings',
      summary: 'All settings',
      right: 'change_settings',
      answer: settingsAnswerSchema,
      handle: () => ({ ...settings.answer(), exposure: listener.answer() }),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/settings/',
      tag: 'settings',
      summary: 'Change some settings',
      description:
        'Answers all of them. An unknown field or a bad value changes nothing. `callbacks` describes what the station then sends to `callback_url`.',
      right: 'change_settings',
      body: settingsChangeSchema,
      answer: settingsAnswerSchema,
      async handle({ body, by }) {
        listener.check(body);
        const answer = await settings.change(body, by);
        if (body.accept_devices !== undefined) await devices.acceptWaiting();
        await listener.apply();
        return { ...answer, exposure: listener.answer() };
      },
    }),
  ];
}
