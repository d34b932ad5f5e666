import { z } from 'zod';
import { encodeWav, LONGEST_RENDERED_MS, renderSamples, soundLengthMs } from '#shared/sound/samples.ts';
import { parseSound } from '#shared/sound/sound.ts';
import { TUNES } from '#shared/sound/tunes.ts';
import { StationError } from '../../errors.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('sounds');

/** Enough for the overtones of a piezo, at half the size of CD quality. */
const SAMPLE_RATE = 22_050;
/** Browsers may cache a tune: it changes only with the next version. */
const KEPT_FOR_S = 3_600;

const tuneSchema = z
  .object({
    name: z.string(),
    encoding: z.string().describe('Tempo in milliseconds a beat, then pairs of note and duration in beats.'),
    length_ms: z.int().describe('Milliseconds that it plays.'),
  })
  .meta({ id: 'Tune' });

/** The tunes that a command can name, and any sound as a WAV file. */
export function soundEndpoints(): Endpoint[] {
  return [
    define('GET /api/sounds/', {
      operationId: 'listSounds',
      summary: 'The tunes that can be asked for by name',
      description: 'As `sound` of a command; the name is compared without regard to case, spaces and hyphens.',
      right: 'read',
      answer: z.array(tuneSchema),
      handle: () =>
        Object.entries(TUNES).map(([name, encoding]) => ({ name, encoding, length_ms: lengthOf(encoding) })),
    }),
    define('GET /api/sounds/{name}/', {
      operationId: 'getSound',
      summary: 'A sound as a device plays it, as a WAV file',
      description: `The name of a tune, \`beep\`, or an encoding such as \`140,c5,2,e5,2\`. PCM of 16 bits, mono, ${SAMPLE_RATE} Hz; at most ${LONGEST_RENDERED_MS / 1_000} s. \`none\` is silence and has no file.`,
      right: 'read',
      params: z.object({ name: z.string() }),
      parameterExamples: { name: 'beep' },
      answer: { contentType: 'audio/wav' },
      refusals: { 404: 'No tune has that name, or it is silence.' },
      handle({ params, res }) {
        const wav = wavOf(params.name);
        res.setHeader('content-type', 'audio/wav');
        res.setHeader('content-length', wav.length);
        res.setHeader('cache-control', `private, max-age=${KEPT_FOR_S}`);
        res.setHeader('x-content-type-options', 'nosniff');
        res.end(wav);
        return undefined;
      },
    }),
  ];
}

function wavOf(name: string): Uint8Array {
  const sound = parseSound(name);
  if (!sound.ok) {
    if (sound.kind === 'unknown') throw new StationError('not_found', sound.message);
    throw new StationError('invalid', sound.message, [{ path: '/name', message: sound.message }]);
  }
  if (sound.notes.length === 0)
    throw new StationError('not_found', 'The sound none is silence: there is nothing to hear.');
  const lengthMs = soundLengthMs(sound.notes);
  if (lengthMs > LONGEST_RENDERED_MS) {
    const message = `The sound lasts ${Math.ceil(lengthMs / 1_000)} s; a WAV file is made of at most ${LONGEST_RENDERED_MS / 1_000} s. A device plays it all the same.`;
    throw new StationError('invalid', message, [{ path: '/name', message }]);
  }
  return encodeWav(renderSamples(sound.notes, { sampleRate: SAMPLE_RATE }), SAMPLE_RATE);
}

function lengthOf(encoding: string): number {
  const sound = parseSound(encoding);
  return sound.ok ? soundLengthMs(sound.notes) : 0;
}
