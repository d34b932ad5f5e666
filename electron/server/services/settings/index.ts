export { type LogoService, createLogo, logoAddress } from './logo.ts';
export { type SettingsService, createSettings } from './settings.ts';
export type { CurrentSettings } from './types.ts';
