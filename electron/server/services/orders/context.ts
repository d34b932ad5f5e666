import type { Settings } from '#shared/api/settings.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Callbacks } from '../callbacks/index.ts';
import type { Commands } from '../commands/index.ts';
import type { NonceTemplates } from './callbacks.ts';
import type { LightDefaults } from './light.ts';
import type { OrderWork } from './work.ts';

/** The context of use-cases of orders. */
export type OrderContext = {
  repositories: Pick<
    Repositories,
    'accounts' | 'aliases' | 'commands' | 'devices' | 'items' | 'map' | 'orders' | 'placeNames'
  >;
  commands: Commands;
  callbacks: Callbacks;
  work: OrderWork;
  defaults: () => LightDefaults & NonceTemplates & Pick<Settings, 'short_reasons'>;
};
