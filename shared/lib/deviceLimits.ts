/** Far more than a site has; a turbo that invents devices fills no memory. */
export const MAX_DEVICES = 50_000;
