import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../electron/server/turbo/frames/transports/transport.ts';

export type TransportPair = {
  station: Transport;
  turbo: Transport;
  /** Resolves once everything written has arrived. */
  settle: () => Promise<void>;
  stop: () => void;
};

function listen(transport: Transport) {
  const chunks: Uint8Array[] = [];
  const closings: string[] = [];
  transport.open({ bytes: (chunk) => void chunks.push(chunk), closed: (reason) => void closings.push(reason) });
  return { closings, chunks, text: () => Buffer.concat(chunks).toString('latin1') };
}

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** Tests what every transport promises, with a new pair of ends for each test. */
export function transportContract(name: string, connect: () => Promise<TransportPair>): void {
  describe(`${name} as a transport`, () => {
    test('delivers bytes to the other end in order, in both directions', async () => {
      const { station, turbo, settle, stop } = await connect();
      const atStation = listen(station);
      const atTurbo = listen(turbo);
      for (const letter of 'abcdef') void station.write(bytes(letter));
      void turbo.write(bytes('xyz'));
      await settle();
      void station.write(bytes('gh'));
      await settle();
      expect(atTurbo.text()).toBe('abcdefgh');
      expect(atStation.text()).toBe('xyz');
      stop();
    });

    test('does not deliver bytes before write returns', async () => {
      const { station, turbo, settle, stop } = await connect();
      listen(station);
      const atTurbo = listen(turbo);
      void station.write(bytes('a'));
      expect(atTurbo.text()).toBe('');
      await settle();
      expect(atTurbo.text()).toBe('a');
      stop();
    });

    test('delivers every byte value', async () => {
      const { station, turbo, settle, stop } = await connect();
      listen(station);
      const atTurbo = listen(turbo);
      const all = Uint8Array.from({ length: 8_192 }, (_, at) => at);
      void station.write(all);
      await settle();
      expect(Buffer.concat(atTurbo.chunks).equals(all)).toBe(true);
      stop();
    });

    test('reports once to the other end that it is closed, but not to its own end', async () => {
      const { station, turbo, settle, stop } = await connect();
      const atStation = listen(station);
      const atTurbo = listen(turbo);
      station.close();
      station.close();
      await settle();
      turbo.close();
      await settle();
      expect(atTurbo.closings).toHaveLength(1);
      expect(atStation.closings).toHaveLength(0);
      stop();
    });

    test('neither accepts nor delivers bytes once closed', async () => {
      const { station, turbo, settle, stop } = await connect();
      const atStation = listen(station);
      const atTurbo = listen(turbo);
      void turbo.write(bytes('late'));
      station.close();
      void station.write(bytes('later'));
      await settle();
      void turbo.write(bytes('latest'));
      await settle();
      expect(atStation.text()).toBe('');
      expect(atTurbo.text()).toBe('');
      stop();
    });

    test('has a kind, a port and the flag canPress', async () => {
      const { station, stop } = await connect();
      expect(['usb', 'network', 'simulated']).toContain(station.kind);
      expect(station.port).not.toBe('');
      expect(typeof station.canPress).toBe('boolean');
      stop();
    });
  });
}
