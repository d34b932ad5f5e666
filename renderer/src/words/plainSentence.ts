/** Matches a sentence that only programs need: it names a call, or quotes a name of the API in backticks. */
const OF_PROGRAMS = /\b(?:GET|POST|PUT|PATCH|DELETE) (?:\/|\.\.\.)|\/api\/|`/;

/** Removes the sentences that only programs need from a message of the station. If no other sentence remains, returns the message unchanged. */
export function plainSentence(message: string): string {
  const sentences = message.split(/(?<=[.!?]) (?=\S)/).filter((sentence) => !OF_PROGRAMS.test(sentence));
  return sentences.length === 0 ? message : sentences.join(' ');
}
