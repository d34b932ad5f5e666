import type { Admission } from '../../ports.ts';
import type { Greeting, TurboRefusal } from '../types.ts';
import { PROTOCOL_VERSION, type Body } from './protocol/messages.ts';

type Hello = Body<'hello'>;

/** Returns a refusal if the hello has no serial number or a different protocol version, or undefined if it is acceptable. */
export function unfitness({ serialNumber, protocol }: Greeting): TurboRefusal | undefined {
  if (serialNumber === '') return { status: 'refused', problem: 'The turbo did not say its serial number' };
  if (protocol === PROTOCOL_VERSION) return undefined;
  const problem = `The turbo speaks protocol ${protocol}, the station speaks ${PROTOCOL_VERSION}`;
  return { status: 'wrongVersion', problem };
}

/** Returns the challenge for a turbo, or undefined if the turbo requests none or the hello already contains the answer. */
export function challengeFor(hello: Hello, { challenge }: Admission): Uint8Array | undefined {
  const { serialNumber, username = '', nonce, answer } = hello;
  return nonce === undefined || answer !== undefined ? undefined : challenge?.offer({ serialNumber, username, nonce });
}

/** Checks the sign-in in a hello. Returns the refusal, or undefined if the sign-in is valid. */
export async function refusalOf(hello: Hello, admission: Admission): Promise<TurboRefusal | undefined> {
  const { serialNumber, username = '', secret = '', answer } = hello;
  const problem =
    answer === undefined || admission.challenge === undefined
      ? await admission.admit({ username, secret })
      : admission.challenge.admit({ serialNumber, username, answer });
  if (problem !== undefined) return { status: 'notSignedIn', problem };
  const bound = admission.boundTo();
  if (bound === undefined || bound.serialNumber === serialNumber) return undefined;
  return {
    status: 'refused',
    problem: `A turbo that calls itself ${serialNumber} has the key of ${bound.serialNumber}, which is for that board only. Set up the board again, and check who has its key.`,
  };
}
