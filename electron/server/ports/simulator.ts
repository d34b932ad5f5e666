import type { Button, Hold } from './reports.ts';

export type SimulatedDevice = {
  deviceId: string;
  buttons: 1 | 3;
  firmware: number;
  reachable: boolean;
  batteryMv: number;
  /** Duration of a full and a partial e-paper refresh, in milliseconds. */
  refreshFullMs: number;
  refreshPartialMs: number;
  /** A simulated worker presses the front button of a lit device after this time; undefined if nobody presses. */
  pressAfterMs: number | undefined;
};

/** The simulated hardware, controlled by the simulator endpoints. Functions return false if the device or turbo does not exist. */
export type Simulator = {
  addDevice(device: { deviceId: string; buttons: 1 | 3; firmware: number }): void;
  /** Switches the device off permanently. */
  removeDevice(deviceId: string): boolean;
  findDevice(deviceId: string): SimulatedDevice | undefined;
  setDevice(deviceId: string, change: Partial<Omit<SimulatedDevice, 'deviceId' | 'buttons' | 'firmware'>>): boolean;
  /** Presses a button. */
  press(deviceId: string, button: Button, hold: Hold): boolean;
  /** Changes the turbo's connection. `loss` is the fraction of lost frames (0 to 1), and `latencyMs` the delay of each frame. */
  setTurbo(serialNumber: string, change: { connected?: boolean; loss?: number; latencyMs?: number }): boolean;
};
