export const password = {
  rule: (characters: number) => `At least ${characters} characters. A few words are easy to remember.`,
  show: 'Show password',
  hide: 'Hide password',
} as const;

export const signIn = {
  title: 'Sign in',
  lead: 'See what is lit on your shelves, and light what comes next.',
  username: 'User name',
  password: 'Password',
  submit: 'Sign in',
  busy: 'Signing in…',
  noUsername: 'Enter your user name.',
  noPassword: 'Enter your password.',
  failed: 'Sign-in failed. Try again.',
  expired: 'Your session has ended. Sign in again. Your input is kept.',
  screen: { label: 'A-1-1', lines: ['Pickstation', 'ready when you are'] },
} as const;
