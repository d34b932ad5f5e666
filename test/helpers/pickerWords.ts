import { plainSentence } from '../../renderer/src/words/plainSentence.ts';

/** Words of the API, which pickers must not see: calls, names of fields, codes of answers, and words that pickers have another word for. */
const CALL = /\b(?:GET|POST|PUT|PATCH|DELETE)\b/;
const OF_API =
  /\/api\/|`|\b[a-z]+_[a-z_]+\b|\bdeviceid\b|DeviceID|\backnowledg|\bbatch(?:es)?\b|\bshares?\b|\bpayloads?\b|\bidempot|\bkeys?\b|\bHTTP\b|\bnonces?\b|\b[45]\d\d\b|\bSend\b|\brequests?\b|\bitem \d|\baliases\b|\bJSON\b|\bparameters?\b/i;

/** Returns the words of the API in a sentence of the station, as Pick shows it. */
export function apiWordsIn(sentence: string): string | undefined {
  const shown = plainSentence(sentence);
  return (CALL.exec(shown) ?? OF_API.exec(shown))?.[0];
}
