/** A shorter password is refused; the window says so before it is typed. */
export const MIN_PASSWORD_CHARACTERS = 8;
