import type { ScreenTemplates } from '../../services/screenTemplates.ts';
import { z } from 'zod';
import * as api from '#shared/api/device.ts';
import type { OperatorActions } from '../../services/commands/index.ts';
import type { Devices } from '../../services/devices/index.ts';
import type { Orders } from '../../services/orders/index.ts';
import type { Registry } from '../../services/registry.ts';
import type { Replacement } from '../../services/replace.ts';
import { lenientFields } from '../compat/lenientFields.ts';
import { endpointsOf, noFields, type Endpoint } from '../endpoint.ts';
import { setWarnings, withWarnings } from '../warnings.ts';
import { deviceParams } from './devices.ts';
import { OTHER_DEVICE, NO_DEVICE } from './examples.ts';

const define = endpointsOf('devices');

const NOTHING_TO_SHOW =
  'The template has nothing for this device, so its static lines are empty now. Set screen_template, or give an article a place here.';

const IS_OVER = 'The command has already ended: `detail` says when, and by whom.';

const NO_COMMAND = 'There is no such device, or it has no such command.';

type Parts = {
  operatorActions: OperatorActions;
  screenTemplates: ScreenTemplates;
  registry: Registry;
  replacement: Replacement;
  devices: Pick<Devices, 'listWaiting'>;
  orders: Pick<Orders, 'elsewhere'>;
};

/** Endpoints for new devices that wait to be accepted, and for refused devices. */
const acceptanceEndpoints = ({ devices, registry }: Pick<Parts, 'devices' | 'registry'>): Endpoint[] => [
  define('listWaitingDevices', 'manage_devices', 'List new devices that wait to be accepted', {
    description:
      'New devices wait while the setting `accept_devices` is `ask`, or after a turbo key has registered 1,000 devices within an hour. `POST /api/device/` with the `deviceid` accepts a device. Changing the setting to `all` accepts every waiting device.',
    answer: z.array(api.waitingDeviceSchema),
    handle: () => devices.listWaiting(),
  }),
  define('listRefusedDevices', 'manage_devices', 'List the refused devices', {
    answer: z.array(api.refusedDeviceSchema),
    handle: () => registry.listRefused(),
  }),
  define('refuseDevice', 'manage_devices', 'Refuse a device', {
    description:
      'The device no longer waits, and the station does not accept it, even if `accept_devices` is `all`. To allow it again, delete the refusal or register the device with `POST /api/device/`. Returns 409 if the device is already registered.',
    body: api.refusalSchema,
    dialect: lenientFields({ deviceid: 'text' }),
    examples: { foreign: { summary: 'A device that belongs to a neighbor', value: { deviceid: '51D0AB:0000F0' } } },
    status: 201,
    answer: api.refusedDeviceSchema,
    refusals: { 409: 'The device is already registered.' },
    handle: ({ body, by }) => registry.refuse(body.deviceid, by),
  }),
  define('readmitDevice', 'manage_devices', 'Remove a refusal', {
    description:
      'If a turbo receives the device, it waits again or is accepted, depending on the setting `accept_devices`.',
    params: deviceParams,
    parameterExamples: { DeviceID: '51D0AB:0000F0' },
    refusals: { 404: 'The device is not refused.' },
    handle: ({ params, by }) => registry.readmit(params.DeviceID, by),
  }),
];

/** Endpoints for registering, replacing and removing devices, and for actions that replace a press. */
export const deviceCareEndpoints = ({
  operatorActions,
  screenTemplates,
  registry,
  replacement,
  devices,
  orders,
}: Parts): Endpoint[] => [
  ...acceptanceEndpoints({ devices, registry }),
  define('registerDevice', 'manage_devices', 'Register a device by its DeviceID', {
    description:
      'Registers a device before a turbo receives it, or accepts a waiting device. `warnings` names another device or alias with this label. Returns 409 if the device is already registered.',
    body: api.newDeviceSchema,
    dialect: lenientFields({ deviceid: 'text', buttons: 'number', label: 'text' }),
    examples: {
      labeled: { summary: 'With the label of its place', value: { deviceid: '51D0AB:00000F', label: 'B-1-1' } },
    },
    status: 201,
    answer: api.deviceSchema,
    refusals: { 409: 'The device is already registered.' },
    async handle({ body, by }) {
      const { deviceid: deviceId, buttons, label } = body;
      const { device, warnings } = await registry.add({ deviceId, buttons, label }, by);
      return withWarnings(device, warnings);
    },
  }),
  define('removeDevice', 'manage_devices', 'Remove a device', {
    description:
      'Removes its location aliases, statics and cell on the map. The goods of its places stay at their names, and lines for these names go to the devices that have them now, or are work without a light. Its other commands end without a callback. The header `x-pickstation-warnings` names places with goods that lose their last light, and `strict=1` refuses that. History is kept. A simulated device is switched off. To only turn off its light, send `kill`. If a turbo still receives the device, it counts as new, and the setting `accept_devices` applies.',
    params: deviceParams,
    parameterExamples: { DeviceID: OTHER_DEVICE },
    query: api.strictQuerySchema,
    refusals: { 404: NO_DEVICE },
    async handle({ params, query, by, res }) {
      setWarnings(res, await registry.remove(params.DeviceID, { by, strict: api.isStrict(query) }));
    },
  }),
  define('replaceDevice', 'manage_devices', 'Replace a device with another', {
    description:
      'The other device gets the location aliases, label, statics, brightness, unsolicitedNonce, place on the map and open commands, in the same order and with new ids. A command that was lit is shown again, and its `seconds` start over. The replaced device goes blank, and a press on it acknowledges nothing. Returns 400 if the other device is unknown, and 409 if it has commands.',
    params: deviceParams,
    body: api.replacementSchema,
    dialect: lenientFields({ deviceid: 'text' }),
    examples: { other: { summary: 'The device that takes over', value: { deviceid: '51D000:000003' } } },
    answer: api.deviceSchema,
    refusals: { 404: NO_DEVICE, 409: 'The other device has commands.' },
    handle: ({ params, body, by }) => replacement.replace({ deviceId: params.DeviceID, by }, body.deviceid),
  }),
  define('acknowledgeCommand', 'work', 'Acknowledge a command without a press', {
    description:
      'Records the name of the caller, and sends the same callback as a press. If the quantity of an order item is lower than requested, the item is closed as `short`, and `elsewhere` lists where the rest may be. Returns 409 if the command has already ended; `detail` says when, and by whom. For the light of a batch, `seen` is the sum over the items of all its orders.',
    params: deviceParams,
    body: api.acknowledgeSchema,
    dialect: lenientFields({ command_id: 'text', qty: 'number', reason: 'text', seen: 'number', key: 'text' }),
    examples: { short: { summary: 'One piece was missing', value: { command_id: '2', qty: 4, reason: 'short' } } },
    answer: api.acknowledgeResultSchema,
    refusals: { 404: NO_COMMAND, 409: IS_OVER },
    async handle({ params, body, caller }) {
      const named = { deviceId: params.DeviceID, commandId: body.command_id, by: caller.name };
      const done = await operatorActions.acknowledge(named, body, orders.elsewhere);
      const { deviceId: deviceid, commandId: command_id, qty, leftOver, elsewhere, warnings } = done;
      const left = leftOver === 0 ? {} : { left_over: leftOver };
      return { deviceid, command_id, qty, ...left, elsewhere: [...elsewhere], warnings: [...warnings] };
    },
  }),
  define('removeCommand', 'send', 'Remove a command from the queue', {
    description:
      'The id of the command is in the response to the command and in `commands` of the device. Like `kill`, this sends no callback, and the device shows its next command. Returns 409 if the command has already ended; `detail` says when, and by whom.',
    params: deviceParams.extend({
      command_id: z.string().describe('The id from the response to the command.').meta({ example: '1' }),
    }),
    parameterExamples: { command_id: '6' },
    refusals: { 404: NO_COMMAND, 409: IS_OVER },
    handle: ({ params, caller }) =>
      operatorActions.cancel({ deviceId: params.DeviceID, commandId: params.command_id, by: caller.name }),
  }),
  define('adjustCommand', 'work', 'Set the quantity of a command without the plus and minus buttons', {
    description:
      'If the device already shows the command, a new command replaces it. The response names the command that has the quantity.',
    params: deviceParams,
    body: api.adjustSchema,
    dialect: lenientFields({ command_id: 'text', quantity: 'number', key: 'text' }),
    examples: { five: { summary: 'Five pieces', value: { command_id: '2', quantity: 5 } } },
    answer: api.adjustResultSchema,
    refusals: { 404: NO_COMMAND, 409: IS_OVER },
    async handle({ params, body, caller }) {
      const named = { deviceId: params.DeviceID, commandId: body.command_id, by: caller.name };
      const { deviceId, commandId, quantity, warnings } = await operatorActions.adjust(named, body.quantity);
      const adjusted = { deviceid: deviceId, command_id: commandId, quantity };
      return warnings.length === 0 ? adjusted : { ...adjusted, warnings };
    },
  }),
  define('useScreenTemplate', 'edit_labels', 'Fill the static lines of a device from its articles', {
    description:
      'Applies the setting `screen_template` to all five lines, and overwrites existing lines. From then on, the lines follow the article.',
    params: deviceParams,
    ...noFields,
    answer: api.templateScreenSchema,
    refusals: { 404: NO_DEVICE },
    async handle({ params }) {
      const answer = { deviceid: params.DeviceID, lines: await screenTemplates.use(params.DeviceID) };
      return answer.lines.every((line) => line === '') ? { ...answer, warnings: [NOTHING_TO_SHOW] } : answer;
    },
  }),
  define('identifyDevice', 'work', 'Flash a device to find it', {
    description: 'Flashes white for five seconds, after the commands in the queue. Sends no callback.',
    params: deviceParams,
    ...noFields,
    answer: api.commandResultSchema,
    refusals: { 404: NO_DEVICE },
    async handle({ params, caller }) {
      const deviceid = params.DeviceID;
      const { commandId, state, delivery } = await operatorActions.identify(deviceid, caller.name);
      return { deviceid, command_id: commandId, state, delivery, warnings: [] };
    },
  }),
];
