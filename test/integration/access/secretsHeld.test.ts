import { readFileSync, renameSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { HttpRequest } from '../../../electron/server/ports.ts';
import { systemPorts } from '../../../electron/server/systemPorts.ts';
import { settingsTarget } from '../../../electron/server/services/callbacks/httpReceiver.ts';
import { createCallbackSender } from '../../../electron/server/services/callbacks/sender.ts';
import type { SettingsService } from '../../../electron/server/services/settings/index.ts';
import type { Delivery } from '#shared/api/callback.ts';
import type { MailStatus } from '#shared/api/mail.ts';
import type { TurboLink } from '#shared/api/turbo.ts';
import { DISPLAY_KEY, HEADER, SECRETS } from '../../helpers/secretBytes.ts';
import { startRefusing } from '../../helpers/servers/refusingServer.ts';
import { HOUR, SECOND, useSecrets } from './secretsRig.ts';

const shop = useSecrets();

test('while the key is missing, holds callbacks instead of sending them unsigned; sends them in order once it is back', async () => {
  await shop.start();
  await shop.setReceiver();
  await shop.press();
  expect(shop.signed()).toHaveLength(1);
  await shop.station.halt();
  renameSync(shop.keyFile(), `${shop.keyFile()}.away`);
  await shop.station.restart();

  await shop.press(3);
  // Wait longer than the 72 hours after which a callback fails.
  await shop.station.clock.advance(100 * HOUR);
  expect(shop.receiver.requests).toHaveLength(1);
  expect((await shop.deliveries()).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['pending', 0],
    ['pending', 0],
    ['pending', 0],
    ['delivered', 1],
  ]);
  const [alert] = await shop.alerts();
  expect(alert).toMatchObject({ kind: 'secret_unreadable', about: 'callback_signing_secret' });
  expect(alert?.problem).toMatch(/data key of this folder is missing.*wait until you enter it again/);
  expect(await shop.settings()).toMatchObject({
    callback_signing_secret_set: true,
    unreadable_secrets: ['callback_signing_secret'],
  });
  const tried = await shop.station.request('POST', '/api/callbacks/test/');
  expect(tried).toMatchObject({
    status: 409,
    body: { detail: expect.stringMatching(/cannot be read.*Callbacks wait/) },
  });
  expect(await shop.station.get('/api/callbacks/counts/')).toMatchObject({
    pending: 3,
    held: expect.stringMatching(/^callback_signing_secret cannot be read\..*Callbacks wait until then/) as string,
  });
  await shop.station.post('/api/callbacks/send/');
  const waiting = (await shop.deliveries())
    .map(({ webhook_id }) => webhook_id)
    .toReversed()
    .slice(1);
  for (const id of waiting) await shop.station.request('POST', `/api/callbacks/${id}/replay/`);
  await shop.station.clock.advance(HOUR);
  expect(shop.receiver.requests).toHaveLength(1);

  await shop.station.halt();
  renameSync(`${shop.keyFile()}.away`, shop.keyFile());
  await shop.station.restart();
  await shop.station.clock.advance(SECOND);
  expect(shop.signed()).toHaveLength(4);
  expect(await shop.station.get('/api/callbacks/counts/')).toMatchObject({ pending: 0, held: null });
  expect(shop.receiver.requests).toHaveLength(4);
  expect(shop.ids().slice(1)).toEqual(waiting);
  expect((await shop.alerts()).map(({ kind }) => kind)).not.toContain('secret_unreadable');
});

test('once the secret is entered again, stores it under a new key, and signs and sends held callbacks in order', async () => {
  /** Callbacks in the order in which they leave the station. They may arrive at the receiver in a different order. */
  const left: unknown[] = [];
  const { http } = systemPorts('silent', {});
  await shop.start({
    http: {
      ...http,
      send(request) {
        left.push(new Headers(request.headers).get('webhook-id'));
        return http.send(request);
      },
    },
  });
  await shop.setReceiver();
  const before = readFileSync(shop.keyFile(), 'utf8');
  await shop.station.halt();
  rmSync(shop.keyFile());
  await shop.station.restart();
  await shop.press(80);
  expect(shop.receiver.requests).toEqual([]);
  // Changing another setting does not send the held callbacks.
  await shop.station.patch('/api/settings/', { default_seconds: 30 });
  await shop.station.clock.advance(HOUR);
  expect(shop.receiver.requests).toEqual([]);
  await shop.setReceiver();
  await shop.station.clock.advance(SECOND);
  expect(shop.signed()).toHaveLength(80);
  const waiting = (await shop.station.get<Delivery[]>('/api/callbacks/?limit=100')).map(({ webhook_id }) => webhook_id);
  expect(left).toEqual(waiting.toReversed());
  expect(shop.ids().map(String).toSorted()).toEqual(waiting.toSorted());
  expect(await shop.alerts()).toEqual([]);
  expect(readFileSync(shop.keyFile(), 'utf8')).not.toBe(before);
  await shop.station.restart();
  await shop.press();
  expect(shop.signed()).toHaveLength(81);
});

test('sends held callbacks once an admin clears the unreadable secret', async () => {
  await shop.start();
  await shop.setReceiver();
  await shop.station.halt();
  rmSync(shop.keyFile());
  await shop.station.restart();
  await shop.press();
  await shop.station.patch('/api/settings/', { callback_signing_secret: null });
  await shop.station.clock.advance(SECOND);
  expect(shop.receiver.requests).toHaveLength(1);
  expect(await shop.settings()).toMatchObject({ callback_signing_secret_set: false, unreadable_secrets: [] });
});

test('unreadable headers keep their names, *** is refused as their value, and a new value releases held callbacks', async () => {
  await shop.start();
  await shop.setReceiver({
    callback_signing_secret: null,
    callback_headers: { Authorization: HEADER, 'X-Shop': 'Bern' },
  });
  await shop.station.halt();
  rmSync(shop.keyFile());
  await shop.station.restart();
  await shop.press();
  expect(shop.receiver.requests).toEqual([]);
  expect(await shop.settings()).toMatchObject({
    unreadable_secrets: ['callback_headers'],
    callback_headers: { Authorization: '***', 'X-Shop': '***' },
  });
  const kept = await shop.station.request('PATCH', '/api/settings/', { callback_headers: { Authorization: '***' } });
  expect(kept.status).toBe(400);
  await shop.station.patch('/api/settings/', { callback_headers: { Authorization: HEADER } });
  await shop.station.clock.advance(SECOND);
  expect(shop.receiver.requests.map(({ headers }) => headers['authorization'])).toEqual([HEADER]);
});

test('the dispatcher refuses to send while callbacks are held', async () => {
  await shop.start();
  const sent: HttpRequest[] = [];
  const sender = createCallbackSender({
    http: {
      send(request) {
        sent.push(request);
        throw new Error('Nothing is to be sent.');
      },
      stop: () => undefined,
    },
    testReceiver: {
      isFor: () => false,
      take: () => {
        throw new Error('Nothing is to be sent.');
      },
    },
    clock: shop.station.clock,
    version: '0',
  });
  const target = settingsTarget({
    held: () => 'It has no signing secret.',
    current: () => ({ callback_url: shop.receiver.url, callback_timeout: 1, callback_headers: {} }),
  } as unknown as SettingsService);
  const NO_EVENT = { revision: 1, event_at: 0, picked: 0 };
  const { failure } = await sender.send({ id: 'msg_1', payload: '{}', event: NO_EVENT }, target).sent;
  expect([failure, sent]).toEqual(['It has no signing secret.', []]);
});

test('MQTT and e-mail also wait for an unreadable secret, and report the reason', async () => {
  await shop.start();
  const { port, connections } = await startRefusing();
  await shop.station.patch('/api/settings/', {
    mqtt_url: `mqtt://127.0.0.1:${port}`,
    mqtt_password: SECRETS.mqtt_password,
    mail_host: '127.0.0.1',
    mail_port: port,
    mail_from: 'station@shop.example',
    mail_to: ['owner@shop.example'],
    mail_password: SECRETS.mail_password,
  });
  await shop.station.halt();
  rmSync(shop.keyFile());
  const before = connections();
  await shop.station.restart();
  const problem = expect.stringMatching(/^mqtt_password cannot be read\..*MQTT is off until then/) as string;
  expect(await shop.station.get('/api/mqtt/')).toMatchObject({ state: 'off', problem });
  expect(await shop.station.request('POST', '/api/mqtt/test/')).toMatchObject({
    status: 409,
    body: { detail: problem },
  });
  const mail = expect.stringMatching(/^mail_password cannot be read\..*E-mails wait until then/) as string;
  expect(await shop.station.get('/api/mail/')).toMatchObject({ on: true, last_error: mail });
  expect(await shop.station.request('POST', '/api/mail/test/')).toMatchObject({ status: 409, body: { detail: mail } });
  await shop.press();
  expect((await shop.deliveries()).map(({ receiver: to, state, attempts }) => [to, state, attempts])).toEqual([
    ['mqtt', 'pending', 0],
  ]);
  await shop.station.clock.advance(HOUR);
  expect(connections()).toBe(before);
  // The alerts about both secrets wait to be sent by e-mail.
  expect((await shop.station.get<MailStatus>('/api/mail/')).waiting).toBeGreaterThanOrEqual(2);
  const named = (await shop.alerts()).flatMap(({ kind, about }) => (kind === 'secret_unreadable' ? [about] : []));
  expect(new Set(named)).toEqual(new Set(['mail_password', 'mqtt_password']));
});

test('never connects unencrypted to a display whose key is unreadable, and reports the reason at its link', async () => {
  await shop.start();
  await shop.setAll();
  await shop.station.halt();
  rmSync(shop.keyFile());
  await shop.station.restart();
  const [link] = await shop.station.get<TurboLink[]>('/api/turbo/links/');
  expect(link).toMatchObject({ key_set: true, step: 'absent', attempts: 0 });
  expect(link?.problem).toMatch(/The key of this display cannot be read.*Enter the key/);
  expect((await shop.alerts()).map(({ about }) => about)).toContain(link?.url);
  await shop.station.patch(`/api/turbo/links/${link?.id}/`, { key: DISPLAY_KEY });
  await shop.station.clock.advance(SECOND);
  expect((await shop.alerts()).map(({ about }) => about)).not.toContain(link?.url);
  const [again] = await shop.station.get<TurboLink[]>('/api/turbo/links/');
  expect(again?.step).not.toBe('absent');
});
