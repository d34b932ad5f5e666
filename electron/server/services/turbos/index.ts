export { type TurboCare, createTurboCare } from './turboCare.ts';
export { type TurboLinks, createTurboLinks } from './turboLinks.ts';
export { type TurboCaller, type TurboSignIn, createTurboSignIn } from './turboSignIn.ts';
