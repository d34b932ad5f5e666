import { settingsAnswerSchema, settingsChangeSchema } from '#shared/api/settings.ts';
import type { SettingsService } from '../../services/settings.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';

export function settingsEndpoints(parts: { settings: SettingsService }): Endpoint[] {
  const { settings } = parts;
  return [
    endpoint({
      method: 'GET',
      path: '/api/settings/',
      tag: 'settings',
      summary: 'All settings',
      scope: 'admin',
      answer: settingsAnswerSchema,
      handle: () => settings.answer(),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/settings/',
      tag: 'settings',
      summary: 'Change some settings',
      description: 'Answers all of them. An unknown field or a bad value changes nothing.',
      scope: 'admin',
      body: settingsChangeSchema,
      answer: settingsAnswerSchema,
      handle: ({ body, by }) => settings.change(body, by),
    }),
  ];
}
