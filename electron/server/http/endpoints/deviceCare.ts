import { z } from 'zod';
import {
  acknowledgeResultSchema,
  acknowledgeSchema,
  adjustResultSchema,
  adjustSchema,
  commandResultSchema,
  deviceSchema,
  newDeviceSchema,
  refusalSchema,
  refusedDeviceSchema,
  replacementSchema,
  waitingDeviceSchema,
} from '#shared/api/device.ts';
import type { Devices, OperatorActions } from '../../services/devices/index.ts';
import type { Registry } from '../../services/registry.ts';
import type { Replacement } from '../../services/replace.ts';
import { lenientFields } from '../compat/lenientFields.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { deviceParams } from './devices.ts';

/** What a person does with a device that stands before him, or that comes or goes. */
export function deviceCareEndpoints(parts: {
  operatorActions: OperatorActions;
  registry: Registry;
  replacement: Replacement;
  devices: Pick<Devices, 'listWaiting'>;
}): Endpoint[] {
  const { operatorActions, registry, replacement, devices } = parts;
  return [
    endpoint({
      method: 'GET',
      path: '/api/devices/waiting/',
      tag: 'devices',
      summary: 'New devices that wait to be accepted',
      description:
        'A turbo hears them, and the setting accept_devices is `ask`. POST /api/device/ with its deviceid accepts one; with the setting `all` each of them is.',
      right: 'manage_devices',
      answer: z.array(waitingDeviceSchema),
      handle: () => devices.listWaiting(),
    }),
    endpoint({
      method: 'GET',
      path: '/api/devices/refused/',
      tag: 'devices',
      summary: 'Devices that are refused',
      right: 'manage_devices',
      answer: z.array(refusedDeviceSchema),
      handle: () => registry.listRefused(),
    }),
    endpoint({
      method: 'POST',
      path: '/api/devices/refused/',
      tag: 'devices',
      summary: 'Refuse a device',
      description:
        'It waits no more and does not become known, also where accept_devices is `all`, until the refusal is taken back or the device is registered by POST /api/device/. 409 where it is known already.',
      right: 'manage_devices',
      body: refusalSchema,
      dialect: lenientFields({ deviceid: 'text' }),
      status: 201,
      answer: refusedDeviceSchema,
      handle: ({ body, by }) => registry.refuse(body.deviceid, by),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/devices/refused/{DeviceID}/',
      tag: 'devices',
      summary: 'Take back a refusal',
      description: 'If a turbo hears it, it waits again, or is accepted, as accept_devices has it.',
      right: 'manage_devices',
      params: deviceParams,
      status: 204,
      answer: z.undefined(),
      async handle({ params, by }) {
        await registry.readmit(params.DeviceID.toUpperCase(), by);
        return undefined;
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/device/',
      tag: 'devices',
      summary: 'Register a device by its DeviceID',
      description: 'Before a turbo hears it, or since it waits to be accepted. 409 where it is known already.',
      right: 'manage_devices',
      body: newDeviceSchema,
      dialect: lenientFields({ deviceid: 'text', buttons: 'number', label: 'text' }),
      status: 201,
      answer: deviceSchema,
      handle: ({ body, by }) => registry.add({ deviceId: body.deviceid, buttons: body.buttons, label: body.label }, by),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/device/{DeviceID}/',
      tag: 'devices',
      summary: 'Take a device away',
      description:
        'Its commands end without a callback, its place, its location aliases and its statics go, history stays; a simulated one is switched off. To take away only what is lit, send it `kill`. One that a turbo still hears afterwards is new again: accept_devices decides what becomes of it.',
      right: 'manage_devices',
      params: deviceParams,
      status: 204,
      answer: z.undefined(),
      async handle({ params, by }) {
        await registry.remove(params.DeviceID.toUpperCase(), by);
        return undefined;
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/device/{DeviceID}/replace/',
      tag: 'devices',
      summary: 'Let another device take the place of this one',
      description:
        'It gets the location aliases, label, statics, brightness, unsolicitedNonce, place on the map and open commands, in their order and with new ids; what was lit is shown anew, and its seconds count from then. This one goes blank, and a press on it acknowledges nothing. 400 where the other one is unknown, 409 where it has commands of its own.',
      right: 'manage_devices',
      params: deviceParams,
      body: replacementSchema,
      dialect: lenientFields({ deviceid: 'text' }),
      answer: deviceSchema,
      handle: ({ params, body, by }) =>
        replacement.replace({ deviceId: params.DeviceID.toUpperCase(), by }, body.deviceid),
    }),
    endpoint({
      method: 'POST',
      path: '/api/device/{DeviceID}/acknowledge/',
      tag: 'devices',
      summary: 'Acknowledge a command in the place of a press',
      description:
        'Recorded under the name of the caller, with its callback as if the device had been pressed. 409 where it is over, with who ended it and when.',
      right: 'work',
      params: deviceParams,
      body: acknowledgeSchema,
      dialect: lenientFields({ command_id: 'text', qty: 'number', reason: 'text' }),
      answer: acknowledgeResultSchema,
      async handle({ params, body, caller }) {
        const deviceid = params.DeviceID.toUpperCase();
        const { commandId, qty } = await operatorActions.acknowledge(
          { deviceId: deviceid, commandId: body.command_id, by: caller.name },
          { qty: body.qty, reason: body.reason },
        );
        return { deviceid, command_id: commandId, qty };
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/device/{DeviceID}/commands/{command_id}/',
      tag: 'devices',
      summary: 'Take one command out of the queue',
      description:
        'By its id, from the answer to the command or from `commands` of the device. Without a callback, as kill does; what waits behind it is shown next. 409 where it is over, with who ended it and when.',
      right: 'send',
      params: deviceParams.extend({
        command_id: z.string().describe('As the answer to the command named it.').meta({ example: '1' }),
      }),
      status: 204,
      answer: z.undefined(),
      async handle({ params, caller }) {
        await operatorActions.takeAway({
          deviceId: params.DeviceID.toUpperCase(),
          commandId: params.command_id,
          by: caller.name,
        });
        return undefined;
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/device/{DeviceID}/adjust/',
      tag: 'devices',
      summary: 'Set the quantity of a command in the place of plus and minus',
      description:
        'What the device shows already is sent anew as another command in its place: the answer names the one that has the quantity now.',
      right: 'work',
      params: deviceParams,
      body: adjustSchema,
      dialect: lenientFields({ command_id: 'text', quantity: 'number' }),
      answer: adjustResultSchema,
      async handle({ params, body, caller }) {
        const deviceid = params.DeviceID.toUpperCase();
        const { commandId, quantity } = await operatorActions.adjust(
          { deviceId: deviceid, commandId: body.command_id, by: caller.name },
          body.quantity,
        );
        return { deviceid, command_id: commandId, quantity };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/device/{DeviceID}/identify/',
      tag: 'devices',
      summary: 'Flash a device, so that somebody finds it',
      description:
        'White, for five seconds, behind what is lit there; it disturbs no other command and has no callback.',
      right: 'work',
      params: deviceParams,
      body: z.object({}),
      bodyOptional: true,
      answer: commandResultSchema,
      async handle({ params, caller }) {
        const deviceid = params.DeviceID.toUpperCase();
        const { commandId, state, delivery } = await operatorActions.identify(deviceid, caller.name);
        return { deviceid, command_id: commandId, state, delivery, warnings: [] };
      },
    }),
  ];
}
