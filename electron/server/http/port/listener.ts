import type { RequestListener } from 'node:http';
import type { Exposure } from '#shared/api/exposure.ts';
import type { SettingsChange } from '#shared/api/settings.ts';
import { createAlarm } from '../../scheduling/alarm.ts';
import { StationError } from '../../errors.ts';
import type { StationCertificate } from './certificate.ts';
import { asHost } from './guard.ts';
import { closeServer, portRefusal, THIS_MACHINE } from './server.ts';
import {
  applySettings,
  type Beside,
  exposureNow,
  hostOf,
  type ListenerParts,
  look,
  open,
  portOf,
  type StationPort,
} from './stationPort.ts';
import type { Upgrade } from './turboUpgrade.ts';

/** Creates the listener, which opens the station's port with its certificate as configured by arguments and settings. */
export function createListener(parts: ListenerParts) {
  const { config, settings, clock, weakness } = parts;
  const port: StationPort = {
    ...parts,
    served: undefined,
    current: undefined,
    listens: 'this_machine',
    certificate: undefined,
    looking: createAlarm(clock, () => look(port)),
    failure: '',
    retired: new Set(),
    isStopped: false,
  };
  let applying: Promise<void> = Promise.resolve();

  return {
    /** Opens the port. `upgrade` handles WebSocket connections. Throws a StationError about `/port` or `/tls`. */
    open: (handler: RequestListener, upgrade: Upgrade, beside: Beside): Promise<void> =>
      open(port, { handler, upgrade, beside }),
    /** Applies the settings that take effect without a restart. */
    apply(): Promise<void> {
      // Run one call at a time. Ignore the error of an earlier call, because its own caller received it.
      applying = applying.catch(() => undefined).then(() => applySettings(port));
      return applying;
    },
    /** Throws `invalid` if the change would expose a station that must stay private, or if the new port is not available. */
    async check({ listen: wanted, port: next }: Pick<SettingsChange, 'listen' | 'port'>): Promise<void> {
      const refusal =
        typeof next === 'number' && next !== portOf(port) && next !== settings().port
          ? await portRefusal({ host: hostOf(port), port: next })
          : '';
      if (refusal !== '') throw new StationError('invalid', `/port: ${refusal}`, [{ path: '/port', message: refusal }]);
      if (wanted !== 'network' || config.host !== undefined || weakness === '') return;
      throw new StationError('invalid', `/listen: ${weakness}`, [{ path: '/listen', message: weakness }]);
    },
    answer: (): Exposure => exposureNow(port),
    /** Returns the URL for use on this machine, with a trailing slash. */
    url: (): string =>
      `${port.certificate === undefined ? 'http' : 'https'}://${asHost(config.host ?? THIS_MACHINE)}:${portOf(port)}/`,
    port: (): number => portOf(port),
    host: (): string => hostOf(port),
    certificate: (): StationCertificate | undefined => port.certificate,
    async stop(): Promise<void> {
      port.isStopped = true;
      port.looking.stop();
      await applying.catch(() => undefined);
      await Promise.all([...port.retired, ...(port.current === undefined ? [] : [port.current])].map(closeServer));
    },
  };
}

export type StationListener = ReturnType<typeof createListener>;
