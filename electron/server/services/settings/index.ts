export { type CurrentSettings, type SettingsService, createSettings } from './settings.ts';
