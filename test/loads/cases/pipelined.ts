import { connect } from 'node:net';
import { API_KEY } from '../../../bench/load/processes.ts';
import type { Load } from '../measuredStation.ts';

const SENT_BYTES = 64 * 1_024;
const CALLERS = 500;

/** Requests of a stranger that are sent without waiting for answers. */
export async function pipelinedByStranger({ url }: Load): Promise<void> {
  await pipeline(url, `GET / HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`);
}

export async function pipelinedReads({ url }: Load): Promise<void> {
  await pipeline(url, `GET /api/order-progress/ HTTP/1.1\r\nhost: ${url.host}\r\napi-key: ${API_KEY}\r\n\r\n`);
}

export async function pipelinedHistory({ url }: Load): Promise<void> {
  await pipeline(url, `GET /api/history/ HTTP/1.1\r\nhost: ${url.host}\r\napi-key: ${API_KEY}\r\n\r\n`);
}

/** Many callers at once, each with one request. */
export async function manyCallers({ url }: Load): Promise<void> {
  const request = `GET /api/device/ HTTP/1.1\r\nhost: ${url.host}\r\napi-key: ${API_KEY}\r\n\r\n`;
  await Promise.all(Array.from({ length: CALLERS }, () => pipeline(url, request, 1)));
}

export async function pipelinedWrites({ url }: Load): Promise<void> {
  const body = '{"line1":"Cable tie"}';
  const head = `POST /api/device/51D0FF:000002/ HTTP/1.1\r\nhost: ${url.host}\r\napi-key: ${API_KEY}`;
  await pipeline(url, `${head}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
}

/** Sends a request many times at once. Resolves when all are answered, or when the station has ended the connection. */
async function pipeline(url: URL, request: string, count = Math.floor(SENT_BYTES / request.length)): Promise<void> {
  await new Promise<void>((resolve) => {
    const socket = connect(Number(url.port), url.hostname, () => socket.write(request.repeat(count)));
    let answers = 0;
    socket.setEncoding('latin1').on('data', (text: string) => {
      answers += text.split('HTTP/1.1 ').length - 1;
      if (answers >= count) socket.destroy();
    });
    socket.on('error', () => undefined).once('close', () => resolve());
  });
}
