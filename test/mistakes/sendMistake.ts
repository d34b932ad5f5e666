import { expect } from 'vitest';
import { API_KEY, type TestStation } from '../helpers/startTestStation.ts';
import { JSON_TYPE, type Mistake } from './mistake.ts';

type Said = { detail?: string; errors?: { path: string; message: string }[]; warnings?: string[] };

function sentOf(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/**
 * Collects the messages in an answer: the warnings if the request succeeded, otherwise the errors. For a list, collects both from each
 * element.
 */
function sentencesOf(status: number, body: unknown, header: string | null): string[] {
  const of = ({ detail, errors = [], warnings = [] }: Said): string[] => [
    ...(detail === undefined ? [] : [detail]),
    ...errors.map(({ path, message }) => `${path}: ${message}`),
    ...warnings,
  ];
  if (status >= 300) return of(body ?? {});
  const told = JSON.parse(header ?? '[]') as string[];
  if (Array.isArray(body)) return [...told, ...(body as Said[]).flatMap(of)];
  return [...told, ...((body as Said | undefined)?.warnings ?? [])];
}

/**
 * Sends an erroneous request and checks the status and the message of the answer. `fill` replaces names in braces in the path and the body.
 */
export async function sendMistake(
  station: TestStation,
  [what, request, sent, status, says, headers]: Mistake,
  fill: (text: string) => string,
): Promise<void> {
  const [method = '', path = ''] = request.split(/ (.*)/s);
  const body =
    typeof sent === 'object' && !Buffer.isBuffer(sent) ? (JSON.parse(fill(JSON.stringify(sent))) as object) : sent;
  const type = sent === undefined || typeof sent === 'string' ? {} : JSON_TYPE;
  const all = sentOf({ 'api-key': API_KEY, ...(headers ?? type) });
  const answer = await station.request(method, fill(path), body, all);
  const said = sentencesOf(answer.status, answer.body, answer.headers.get('x-pickstation-warnings'));
  expect(answer.status, `${what}: ${said.join(' ')}`).toBe(status);
  if (status < 300) expect(said, `${what} has no warning`).not.toEqual([]);
  expect(said.join('\n')).toContain(says);
}
