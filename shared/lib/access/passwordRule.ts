/** Minimum length of passwords, which the page also checks. */
export const MIN_PASSWORD_CHARACTERS = 8;
