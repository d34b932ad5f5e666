/** Shorter passwords are refused; the page says so in advance. */
export const MIN_PASSWORD_CHARACTERS = 8;
