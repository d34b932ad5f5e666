/**
 * The same loop as a Node-RED flow, as a shop would draw it: HTTP in, a line to the turbo, a line back, HTTP request.
 * It stores nothing. `nodeRedLoop.mjs PACKAGE TURBO_PORT RECEIVER` prints its address when ready.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [packageFolder, turboPort, receiver] = process.argv.slice(2);
const require = createRequire(join(packageFolder, 'package.json'));
const RED = require(packageFolder);
const express = require('express');

const light = `
  const { id } = msg.req.params;
  node.send([
    { ...msg, payload: { id: 1, deviceid: id } },
    { payload: JSON.stringify({ device: id, nonce: msg.payload.nonce, line1: msg.payload.line1 }) + '\\n' },
  ]);`;
const called = `
  const { device, nonce, button } = JSON.parse(msg.payload);
  return { url: ${JSON.stringify(receiver)}, method: 'POST', payload: { deviceid: device, nonce, button } };`;
const z = 'tab';
const flow = [
  { id: z, type: 'tab', label: 'Pick' },
  { id: 'asked', type: 'http in', z, url: '/api/device/:id/', method: 'post', wires: [['light']] },
  { id: 'light', type: 'function', z, func: light, outputs: 2, wires: [['answer'], ['toTurbo']] },
  { id: 'answer', type: 'http response', z, wires: [] },
  { id: 'toTurbo', type: 'tcp out', z, beserver: 'reply', base64: false, wires: [] },
  {
    id: 'fromTurbo',
    type: 'tcp in',
    z,
    server: 'server',
    port: turboPort,
    datamode: 'stream',
    datatype: 'utf8',
    newline: '\\n',
    wires: [['called']],
  },
  { id: 'called', type: 'function', z, func: called, outputs: 1, wires: [['request']] },
  { id: 'request', type: 'http request', z, method: 'use', ret: 'txt', persist: true, wires: [[]] },
];

const userDir = mkdtempSync(join(tmpdir(), 'pickstation-node-red-'));
writeFileSync(join(userDir, 'flows.json'), JSON.stringify(flow));
process.once('SIGTERM', () => {
  rmSync(userDir, { recursive: true, force: true });
  process.exit(0);
});
const app = express();
const server = createServer(app);
RED.init(server, {
  userDir,
  flowFile: 'flows.json',
  credentialSecret: false,
  httpAdminRoot: false,
  httpNodeRoot: '/',
  logging: { console: { level: 'error', metrics: false, audit: false } },
});
app.use('/', RED.httpNode);
RED.events.once('flows:started', () =>
  server.listen(0, '127.0.0.1', () => process.stdout.write(`ready at http://127.0.0.1:${server.address().port}/\n`)),
);
await RED.start();
