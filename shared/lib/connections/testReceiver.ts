/** URL of the built-in receiver for trying out callbacks. The reserved top-level domain `.invalid` cannot belong to anybody. */
export const TEST_RECEIVER = 'http://receiver.invalid/';
