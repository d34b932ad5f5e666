import { plural } from './plural.ts';

export const password = {
  rule: (characters: number) => `At least ${characters} characters. A few words are easy to remember.`,
  show: 'Show password',
  hide: 'Hide password',
} as const;

export const welcome = {
  title: 'Welcome',
  lead: 'Choose a password. You need it to sign in from a browser or a tablet.',
  adminOnly: 'Setting up a station is for admins. Everything else is on the Station page.',
  step: (step: number, steps: number) => `Step ${step} of ${steps}`,
  screen: { label: 'A-1-1', lines: ['Pickstation', 'light the right shelf'] },
  passwordForm: 'Choose a password',
  password: (user: string) => `Password of ${user}`,
  tooShort: (missing: number) => `Too short: ${plural(missing, 'more character', 'more characters')}, please.`,
  next: 'Next',
  flashes: 'Look for the magenta light: that is your first device.',
  notFlashing: 'The first device does not flash.',
  start: {
    title: 'Your first devices',
    lead: 'Begin with a small shop to try everything, or with your own hardware.',
    demo: 'Try it with simulated devices',
    demoWords: 'Two racks with devices that behave like real ones. You can remove them later.',
    making: 'Creating the shop…',
    turbo: 'Connect a turbo',
    turboWords: 'On USB, on a serial port or in the network. Your devices appear by themselves.',
    skip: 'Begin with an empty station',
  },
  connect: {
    title: 'Connect a turbo',
    lead: 'A turbo is the radio between this station and its devices. Connect one here; devices that it hears appear by themselves.',
    heard: 'Turbos heard',
    none: 'None yet. What you connect appears here by itself.',
    transport: { usb: 'USB', network: 'network', simulated: 'simulated' },
    back: 'Back',
    go: 'Go to the Station page',
    goAndFlash: (name: string) => `Flash ${name} and continue`,
  },
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
  failed: 'Signing in failed. Try again.',
  expired: 'Your session has ended. Sign in again; what you typed is kept.',
  screen: { label: 'A-1-1', lines: ['Pickstation', 'ready when you are'] },
} as const;
