import type { z } from 'zod';
import type * as callback from '../callback.ts';
import type * as callbackReceiver from '../callbackReceiver.ts';
import type * as folders from '../folders.ts';
import type * as mail from '../mail.ts';
import type * as fleet from '../fleet.ts';
import type * as mqtt from '../mqtt.ts';
import type * as order from '../order.ts';
import type { Warned } from '../fields.ts';
import { del, get, patch, post, type WithBody } from './route.ts';

/** Callbacks, e-mail, folders, the broker and the fleet. */
export const CONNECTION_ROUTES = {
  // Callbacks
  listCallbackReceivers: get('/api/callback-receivers/')<{ answer: callbackReceiver.CallbackReceiverEntry[] }>(),
  addCallbackReceiver:
    post('/api/callback-receivers/')<
      WithBody<typeof callbackReceiver.newCallbackReceiverSchema, Warned<callbackReceiver.CallbackReceiverEntry>>
    >(),
  getCallbackReceiver: get('/api/callback-receivers/{id}/')<{ answer: callbackReceiver.CallbackReceiverEntry }>(),
  changeCallbackReceiver: patch('/api/callback-receivers/{id}/')<{
    body: callbackReceiver.CallbackReceiverChange;
    answer: Warned<callbackReceiver.CallbackReceiverEntry>;
  }>(),
  removeCallbackReceiver: del('/api/callback-receivers/{id}/')(),
  listCallbacks: get('/api/callbacks/')<{ query: callback.DeliveryQuery; answer: callback.Delivery[] }>(),
  countCallbacks: get('/api/callbacks/counts/')<{ answer: callback.DeliveryCounts }>(),
  listReceivedCallbacks: get('/api/callbacks/received/')<{ answer: callback.ReceivedCallback[] }>(),
  forgetReceivedCallbacks: del('/api/callbacks/received/')(),
  replayDeadCallbacks:
    post('/api/callbacks/replay/')<
      WithBody<typeof callback.replaySchema, z.output<typeof callback.replayResultSchema>>
    >(),
  sendWaitingCallbacks: post('/api/callbacks/send/')<{ answer: z.output<typeof callback.sentNowSchema> }>(),
  testCallback: post('/api/callbacks/test/')<WithBody<typeof callback.callbackTestSchema, callback.TestDelivery>>(),
  replayCallback: post('/api/callbacks/{id}/replay/')<{ answer: callback.Delivery }>(),
  getCallback: get('/api/callbacks/{id}/')<{ answer: callback.DeliveryExchange }>(),
  // Folders
  getFolders: get('/api/folders/')<{ answer: folders.FoldersStatus }>(),
  // E-mails
  getMail: get('/api/mail/')<{ answer: mail.MailStatus }>(),
  testMail: post('/api/mail/test/')<{ answer: mail.TestMail }>(),
  // MQTT
  getMqtt: get('/api/mqtt/')<{ answer: mqtt.MqttStatus }>(),
  testMqtt: post('/api/mqtt/test/')<{ answer: mqtt.TestMqtt }>(),
  // The fleet
  getFleet: get('/api/fleet/')<{ answer: fleet.FleetAnswer }>(),
  sendFleetOrder: post('/api/fleet/{station}/orders/')<
    WithBody<typeof order.newOrderSchema, fleet.FleetOrder> & { query: z.input<typeof fleet.fleetOrderQuerySchema> }
  >(),
  findInFleet: get('/api/fleet/find/')<{ query: z.input<typeof fleet.fleetQuerySchema>; answer: fleet.FleetFound[] }>(),
} as const;
