/** A DeviceID as people type it: in capital or small letters. */
export const DEVICE_ID = /^[0-9a-f]{6}:[0-9a-f]{6}$/i;

/** Far more than a site has. Prevents a turbo that invents devices from filling the memory. */
export const MAX_DEVICES = 50_000;

/** Maximum requests in one call to `/api/devices/`. */
export const MAX_REQUESTS = 1_000;
