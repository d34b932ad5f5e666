/** URL of the built-in receiver for trying callbacks. The reserved name `.invalid` cannot belong to anybody. */
export const TEST_RECEIVER = 'http://receiver.invalid/';
