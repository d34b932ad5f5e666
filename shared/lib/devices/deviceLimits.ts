/** A DeviceID as people type it, in upper or lower case. */
export const DEVICE_ID = /^[0-9a-f]{6}:[0-9a-f]{6}$/i;

/** Maximum number of devices, far more than a site has. Prevents a turbo that invents devices from filling memory. */
export const MAX_DEVICES = 50_000;

/** Maximum number of requests in one call to `/api/devices/`. */
export const MAX_REQUESTS = 1_000;
