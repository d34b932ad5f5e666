export const password = {
  rule: (characters: number) => `At least ${characters} characters. A few words are easy to remember.`,
  show: 'Show password',
  hide: 'Hide password',
} as const;

export const signIn = {
  title: 'Sign in',
  lead: 'See what is lit on your shelves, and light what is next.',
  username: 'User name',
  password: 'Password',
  submit: 'Sign in',
  busy: 'Signing in…',
  noUsername: 'Type your user name.',
  noPassword: 'Type your password.',
  failed: 'You are not signed in. Try again.',
  expired: 'Your session has ended. Sign in again. Your input is kept.',
  screen: { label: 'A-1-1', lines: ['Pickstation', 'ready when you are'] },
} as const;
