import { z } from 'zod';
import { encodeWav, LONGEST_RENDERED_MS, renderSamples, soundLengthMs } from '#shared/sound/samples.ts';
import { parseSound } from '#shared/sound/sound.ts';
import { TUNES } from '#shared/sound/tunes.ts';
import { StationError } from '../../errors.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('sounds');

/** Sample rate in Hz. Half of CD quality is enough for the overtones of a piezo buzzer. */
const SAMPLE_RATE = 22_050;
/** How long browsers may cache a tune, in seconds. Tunes change only with a new version. */
const KEPT_FOR_S = 3_600;

const tuneSchema = z
  .object({
    name: z.string(),
    encoding: z.string().describe('Milliseconds per beat, followed by pairs of note and duration in beats.'),
    length_ms: z.int().describe('Duration in milliseconds.'),
  })
  .meta({ id: 'Tune' });

/** Returns the endpoints for the tunes that a command can name, and for any sound as a WAV file. */
export function soundEndpoints(): Endpoint[] {
  return [
    define('listSounds', 'read', 'List the tunes', {
      description: 'Use the names as `sound` of a command. Case, spaces and hyphens are ignored.',
      answer: z.array(tuneSchema),
      handle: () =>
        Object.entries(TUNES).map(([name, encoding]) => ({ name, encoding, length_ms: lengthOf(encoding) })),
    }),
    define('getSound', 'read', 'Get a sound as a WAV file', {
      description: `Returns the sound as a device plays it. \`name\` is the name of a tune, \`beep\`, or an encoding such as \`140,c5,2,e5,2\`. The file is 16-bit mono PCM with ${SAMPLE_RATE} Hz and lasts at most ${LONGEST_RENDERED_MS / 1_000} s. \`none\` is silence and has no file.`,
      params: z.object({
        name: z.string().describe('The name of a tune, beep, or an encoding.').meta({ example: 'beep' }),
      }),
      answer: { contentType: 'audio/wav' },
      refusals: { 404: 'No tune has this name, or the sound is `none`.' },
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
  if (sound.notes.length === 0) throw new StationError('not_found', 'The sound none is silence and has no file.');
  const lengthMs = soundLengthMs(sound.notes);
  if (lengthMs > LONGEST_RENDERED_MS) {
    const message = `The sound lasts ${Math.ceil(lengthMs / 1_000)} s; a WAV file has at most ${LONGEST_RENDERED_MS / 1_000} s. A device plays the whole sound.`;
    throw new StationError('invalid', message, [{ path: '/name', message }]);
  }
  return encodeWav(renderSamples(sound.notes, { sampleRate: SAMPLE_RATE }), SAMPLE_RATE);
}

function lengthOf(encoding: string): number {
  const sound = parseSound(encoding);
  return sound.ok ? soundLengthMs(sound.notes) : 0;
}
