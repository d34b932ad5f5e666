import type { Oracle } from './oracle.ts';
import type { ModelItem } from './orderState.ts';
import type { ModelCommand, ModelDevice } from './state.ts';

/** The name of the API user that sends the requests. */
export const SENDER = 'API key';
/** Lists the devices in the order in which they got their labels: of several with one label, the first is found by it. */
export function firstLabeled(oracle: Oracle): ModelDevice[] {
  return [...oracle.devices.values()].toSorted((a, b) => a.labeledAt - b.labeledAt || (a.id < b.id ? -1 : 1));
}

/** Finds a device by DeviceID, by label, or by a DeviceID given as a location. */
export function find(
  oracle: Oracle,
  deviceid: string | undefined,
  location: string | undefined,
): ModelDevice | undefined {
  if (deviceid !== undefined) return oracle.devices.get(deviceid.toUpperCase());
  if (location === undefined) return undefined;
  const devices = firstLabeled(oracle);
  const labeled = devices.find(({ label }) => label.toLowerCase() === location.toLowerCase());
  return labeled ?? oracle.devices.get(location.toUpperCase());
}

/** How a command was addressed: by a DeviceID, by the label of its device, or by a label that no device has now. */
export type Address = 'device' | 'label' | `lost ${string}`;

/** Returns how a caller or an item that names `location` addresses its device. */
export function addressOf(oracle: Oracle, location: string): 'device' | 'label' {
  return labeled(oracle, location) === undefined ? 'device' : 'label';
}

export const keyOf = (name: string): string => name.toLowerCase();

/** Returns the device that had this label first. */
export function labeled(oracle: Oracle, name: string): ModelDevice | undefined {
  return firstLabeled(oracle).find(({ label }) => label !== '' && keyOf(label) === keyOf(name));
}

/** Returns how an item that is lit at this device addresses it: by the first of its names, if that is its label. */
export function addressOfItem(oracle: Oracle, { given }: ModelItem, device: ModelDevice): 'device' | 'label' {
  const { deviceid, warehouse_location: place, SKU, UPC, name } = given;
  if (typeof deviceid === 'string' && find(oracle, deviceid, undefined) !== undefined) return 'device';
  const first = [place, SKU, UPC, name].find((text) => typeof text === 'string' && find(oracle, undefined, text));
  if (typeof first !== 'string' || find(oracle, undefined, first) !== device) return 'device';
  return addressOf(oracle, first);
}

/** Returns the name of a command's place in the history and in answers. */
export const placeName = (device: ModelDevice, { alias }: Pick<ModelCommand, 'alias'>): string => alias || device.label;
