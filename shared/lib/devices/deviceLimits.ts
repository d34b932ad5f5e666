/** Far more than a site has. Prevents a turbo that invents devices from filling the memory. */
export const MAX_DEVICES = 50_000;

/** Maximum requests in one call to `/api/devices/`. */
export const MAX_REQUESTS = 1_000;
