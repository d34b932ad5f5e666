/* The part of undici that sends requests. The package declares it as a part of the whole alone. */

declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}
