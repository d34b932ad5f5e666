import { z } from 'zod';
import * as api from '#shared/api/simulator.ts';
import type { SimulatedDevice } from '../../ports.ts';
import type { Simulation } from '../../services/simulation/index.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';
import { deviceParams } from './devices.ts';
import { turboParams } from './turbos.ts';

const define = endpointsOf('simulator');

/** Duration of a partial refresh as a fraction of a full refresh, such as 0.3 s of 2 s. */
const PARTIAL_PART = 0.15;

export const simulatorEndpoints = ({ simulation }: { simulation: Simulation }): Endpoint[] => [
  define('addSimulatedDevices', 'simulate', 'Add simulated devices', {
    actsOutside: true,
    body: api.simulatedDevicesRequestSchema,
    bodyOptional: true,
    examples: { two: { summary: 'Two devices with plus and minus', value: { count: 2, buttons: 3 } } },
    status: 201,
    answer: z.array(api.simulatedDeviceSchema),
    async handle({ body }) {
      const added = await simulation.add({ count: body.count, buttons: body.buttons, firmware: body.firmware });
      return added.map(entry);
    },
  }),
  define('pressSimulatedDevice', 'simulate', 'Press a button of a simulated device', {
    actsOutside: true,
    params: deviceParams,
    body: api.simulatedPressSchema,
    bodyOptional: true,
    examples: { front: { summary: 'A short press', value: { button: 'front', hold: 'short' } } },
    status: 202,
    answer: z.object({ deviceid: z.string() }),
    refusals: { 404: 'There is no such simulated device.' },
    handle({ params, body }) {
      const deviceid = params.DeviceID;
      simulation.press(deviceid, body.button, body.hold);
      return { deviceid };
    },
  }),
  define('getSimulatedDevice', 'simulate', 'Get the state of a simulated device', {
    params: deviceParams,
    answer: api.simulatedDeviceSchema,
    refusals: { 404: 'There is no such simulated device.' },
    handle: ({ params }) => entry(simulation.setDevice(params.DeviceID, {})),
  }),
  define('changeSimulatedDevice', 'simulate', 'Change the condition of a simulated device', {
    actsOutside: true,
    params: deviceParams,
    body: api.simulatedDeviceChangeSchema,
    examples: {
      worker: { summary: 'A worker presses after two seconds', value: { press_after_ms: 2_000 } },
      usual: {
        summary: 'Nobody presses, and the e-paper changes immediately',
        value: { press_after_ms: null, refresh_ms: 0 },
      },
    },
    answer: api.simulatedDeviceSchema,
    refusals: { 404: 'There is no such simulated device.' },
    handle({ params, body }) {
      const change: Parameters<Simulation['setDevice']>[1] = {};
      if (body.reachable !== undefined) change.reachable = body.reachable;
      if (body.battery_mv !== undefined) change.batteryMv = body.battery_mv;
      if (body.press_after_ms !== undefined) change.pressAfterMs = body.press_after_ms ?? undefined;
      if (body.refresh_ms !== undefined) {
        change.refreshFullMs = body.refresh_ms;
        change.refreshPartialMs = Math.round(body.refresh_ms * PARTIAL_PART);
      }
      return entry(simulation.setDevice(params.DeviceID, change));
    },
  }),
  define('changeSimulatedTurbo', 'simulate', 'Change the link of the simulated turbo', {
    actsOutside: true,
    params: turboParams,
    body: api.simulatedTurboChangeSchema,
    examples: { slow: { summary: 'A slow link', value: { connected: true, loss: 0, latency_ms: 0 } } },
    answer: z.object({ serial_number: z.string() }),
    refusals: { 404: 'There is no such simulated turbo.' },
    handle({ params, body }) {
      const change: Parameters<Simulation['setTurbo']>[1] = {};
      if (body.connected !== undefined) change.connected = body.connected;
      if (body.loss !== undefined) change.loss = body.loss;
      if (body.latency_ms !== undefined) change.latencyMs = body.latency_ms;
      simulation.setTurbo(params.SerialNo, change);
      return { serial_number: params.SerialNo };
    },
  }),
];

function entry(device: SimulatedDevice): api.SimulatedDeviceEntry {
  return {
    deviceid: device.deviceId,
    buttons: device.buttons,
    firmware: device.firmware,
    reachable: device.reachable,
    battery_mv: device.batteryMv,
    refresh_ms: device.refreshFullMs,
    press_after_ms: device.pressAfterMs ?? null,
  };
}
