/** Where callbacks go that the station itself takes, for who has no receiver yet: a name that nobody else can have. */
export const TEST_RECEIVER = 'http://receiver.invalid/';
