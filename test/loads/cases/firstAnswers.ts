import type { Load } from '../measuredStation.ts';

/** A stranger's first question after a start. */
export async function firstOpenapiJson({ request }: Load): Promise<void> {
  await request('GET', '/api/openapi.json', undefined, { 'api-key': '' });
}
