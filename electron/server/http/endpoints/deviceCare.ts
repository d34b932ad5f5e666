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
import type { OperatorActions } from '../../services/commands/index.ts';
import type { Devices } from '../../services/devices/index.ts';
import type { Registry } from '../../services/registry.ts';
import type { Replacement } from '../../services/replace.ts';
import { lenientFields } from '../compat/lenientFields.ts';
import { endpointsOf, noFields, type Endpoint } from '../endpoint.ts';
import { deviceParams } from './devices.ts';
import { OTHER_DEVICE, NO_DEVICE } from './examples.ts';

const define = endpointsOf('devices');

const IS_OVER = 'The command is over: `detail` says who ended it, and when.';

const NO_COMMAND = 'There is no such device, or it has no such command.';

/** Registering, replacing and removing devices, and acting on them in place of a press. */
export function deviceCareEndpoints(parts: {
  operatorActions: OperatorActions;
  registry: Registry;
  replacement: Replacement;
  devices: Pick<Devices, 'listWaiting'>;
}): Endpoint[] {
  const { operatorActions, registry, replacement, devices } = parts;
  return [
    define('GET /api/devices/waiting/', {
      operationId: 'listWaitingDevices',
      summary: 'New devices that wait to be accepted',
      description:
        'A turbo hears them, and the setting accept_devices is `ask`. POST /api/device/ with its deviceid accepts one; with the setting `all` each of them is.',
      right: 'manage_devices',
      answer: z.array(waitingDeviceSchema),
      handle: () => devices.listWaiting(),
    }),
    define('GET /api/devices/refused/', {
      operationId: 'listRefusedDevices',
      summary: 'Devices that are refused',
      right: 'manage_devices',
      answer: z.array(refusedDeviceSchema),
      handle: () => registry.listRefused(),
    }),
    define('POST /api/devices/refused/', {
      operationId: 'refuseDevice',
      summary: 'Refuse a device',
      description:
        'It waits no more and does not become known, also where accept_devices is `all`, until the refusal is taken back or the device is registered by POST /api/device/. 409 where it is known already.',
      right: 'manage_devices',
      body: refusalSchema,
      dialect: lenientFields({ deviceid: 'text' }),
      examples: { foreign: { summary: 'One of the neighbour', value: { deviceid: '51D0AB:0000F0' } } },
      status: 201,
      answer: refusedDeviceSchema,
      refusals: { 409: 'The device is known already.' },
      handle: ({ body, by }) => registry.refuse(body.deviceid, by),
    }),
    define('DELETE /api/devices/refused/{DeviceID}/', {
      operationId: 'readmitDevice',
      summary: 'Take back a refusal',
      description: 'If a turbo hears it, it waits again, or is accepted, as accept_devices has it.',
      right: 'manage_devices',
      params: deviceParams,
      parameterExamples: { DeviceID: '51D0AB:0000F0' },
      refusals: { 404: 'The device is not refused.' },
      handle: ({ params, by }) => registry.readmit(params.DeviceID, by),
    }),
    define('POST /api/device/', {
      operationId: 'registerDevice',
      summary: 'Register a device by its DeviceID',
      description: 'Before a turbo hears it, or since it waits to be accepted. 409 where it is known already.',
      right: 'manage_devices',
      body: newDeviceSchema,
      dialect: lenientFields({ deviceid: 'text', buttons: 'number', label: 'text' }),
      examples: {
        labelled: { summary: 'With the label of its place', value: { deviceid: '51D0AB:00000F', label: 'B-1-1' } },
      },
      status: 201,
      answer: deviceSchema,
      refusals: { 409: 'The device is known already.' },
      handle: ({ body, by }) => registry.add({ deviceId: body.deviceid, buttons: body.buttons, label: body.label }, by),
    }),
    define('DELETE /api/device/{DeviceID}/', {
      operationId: 'removeDevice',
      summary: 'Take a device away',
      description:
        'Its commands end without a callback, its place, its location aliases and its statics go, history stays; a simulated one is switched off. To take away only what is lit, send it `kill`. One that a turbo still hears afterwards is new again: accept_devices decides what becomes of it.',
      right: 'manage_devices',
      params: deviceParams,
      parameterExamples: { DeviceID: OTHER_DEVICE },
      refusals: { 404: NO_DEVICE },
      handle: ({ params, by }) => registry.remove(params.DeviceID, by),
    }),
    define('POST /api/device/{DeviceID}/replace/', {
      operationId: 'replaceDevice',
      summary: 'Let another device take the place of this one',
      description:
        'It gets the location aliases, label, statics, brightness, unsolicitedNonce, place on the map and open commands, in their order and with new ids; what was lit is shown anew, and its seconds count from then. This one goes blank, and a press on it acknowledges nothing. 400 where the other one is unknown, 409 where it has commands of its own.',
      right: 'manage_devices',
      params: deviceParams,
      body: replacementSchema,
      dialect: lenientFields({ deviceid: 'text' }),
      examples: { other: { summary: 'The device that takes over', value: { deviceid: '51D000:000003' } } },
      answer: deviceSchema,
      refusals: { 404: NO_DEVICE, 409: 'The other device has commands of its own.' },
      handle: ({ params, body, by }) => replacement.replace({ deviceId: params.DeviceID, by }, body.deviceid),
    }),
    define('POST /api/device/{DeviceID}/acknowledge/', {
      operationId: 'acknowledgeCommand',
      summary: 'Acknowledge a command in the place of a press',
      description:
        'Recorded under the name of the caller, with its callback as if the device had been pressed. 409 where it is over, with who ended it and when.',
      right: 'work',
      params: deviceParams,
      body: acknowledgeSchema,
      dialect: lenientFields({ command_id: 'text', qty: 'number', reason: 'text' }),
      examples: { short: { summary: 'One was missing', value: { command_id: '2', qty: 4, reason: 'short' } } },
      answer: acknowledgeResultSchema,
      refusals: { 404: NO_COMMAND, 409: IS_OVER },
      async handle({ params, body, caller }) {
        const deviceid = params.DeviceID;
        const { commandId, qty } = await operatorActions.acknowledge(
          { deviceId: deviceid, commandId: body.command_id, by: caller.name },
          { qty: body.qty, reason: body.reason },
        );
        return { deviceid, command_id: commandId, qty };
      },
    }),
    define('DELETE /api/device/{DeviceID}/commands/{command_id}/', {
      operationId: 'removeCommand',
      summary: 'Take one command out of the queue',
      description:
        'By its id, from the answer to the command or from `commands` of the device. Without a callback, as kill does; what waits behind it is shown next. 409 where it is over, with who ended it and when.',
      right: 'send',
      params: deviceParams.extend({
        command_id: z.string().describe('As the answer to the command named it.').meta({ example: '1' }),
      }),
      parameterExamples: { command_id: '6' },
      refusals: { 404: NO_COMMAND, 409: IS_OVER },
      handle: ({ params, caller }) =>
        operatorActions.takeAway({
          deviceId: params.DeviceID,
          commandId: params.command_id,
          by: caller.name,
        }),
    }),
    define('POST /api/device/{DeviceID}/adjust/', {
      operationId: 'adjustCommand',
      summary: 'Set the quantity of a command in the place of plus and minus',
      description:
        'What the device shows already is sent anew as another command in its place: the answer names the one that has the quantity now.',
      right: 'work',
      params: deviceParams,
      body: adjustSchema,
      dialect: lenientFields({ command_id: 'text', quantity: 'number' }),
      examples: { five: { summary: 'Five of them', value: { command_id: '2', quantity: 5 } } },
      answer: adjustResultSchema,
      refusals: { 404: NO_COMMAND, 409: IS_OVER },
      async handle({ params, body, caller }) {
        const deviceid = params.DeviceID;
        const { commandId, quantity } = await operatorActions.adjust(
          { deviceId: deviceid, commandId: body.command_id, by: caller.name },
          body.quantity,
        );
        return { deviceid, command_id: commandId, quantity };
      },
    }),
    define('POST /api/device/{DeviceID}/identify/', {
      operationId: 'identifyDevice',
      summary: 'Flash a device, so that somebody finds it',
      description:
        'White, for five seconds, behind what is lit there; it disturbs no other command and has no callback.',
      right: 'work',
      params: deviceParams,
      ...noFields,
      answer: commandResultSchema,
      refusals: { 404: NO_DEVICE },
      async handle({ params, caller }) {
        const deviceid = params.DeviceID;
        const { commandId, state, delivery } = await operatorActions.identify(deviceid, caller.name);
        return { deviceid, command_id: commandId, state, delivery, warnings: [] };
      },
    }),
  ];
}
