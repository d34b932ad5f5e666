import type { Topics } from './topics.ts';

type TopicWords = Pick<Topics, 'base' | 'order'>;

/** Rewords an API message for readers who use only MQTT, by naming topics instead of addresses. */
function inTopics(sentence: string, { base, order }: TopicWords): string {
  return sentence
    .replace(
      /GET \/api\/orders\/([^/\s]+)\/ shows it\./,
      (_, number: string) => `${order(decodeURIComponent(number))} shows it.`,
    )
    .replace('GET /api/orders/ lists them.', `The topics ${base}/orders/+ list them.`)
    .replace('GET /api/device/ lists the devices', `The topics ${base}/devices/+ list the devices`)
    .replace('to POST /api/devices/.', `to ${base}/devices/set.`)
    .replace(' GET /api/sequence/ lists them.', '')
    .replace(' To start it from the beginning, add ?restart=1.', '')
    .replace(/has no body\. Send a JSON object with .*$/, 'has no payload. Send a JSON object.')
    .replaceAll(/\b([Tt]he|[Aa]) body\b/g, '$1 payload');
}

/** Rewords all messages in a response for readers who use only MQTT. */
export function answerInTopics(
  answer: Readonly<Record<string, unknown>>,
  topics: TopicWords,
): Readonly<Record<string, unknown>> {
  const { detail, errors, warnings } = answer;
  return {
    ...answer,
    ...(typeof detail === 'string' ? { detail: inTopics(detail, topics) } : {}),
    ...(Array.isArray(errors) ? { errors: (errors as Fault[]).map((fault) => inFault(fault, topics)) } : {}),
    ...(Array.isArray(warnings)
      ? { warnings: (warnings as string[]).map((warning) => inTopics(warning, topics)) }
      : {}),
  };
}

type Fault = { path: string; message: string };

function inFault({ path, message }: Fault, topics: TopicWords): Fault {
  return { path, message: inTopics(message, topics) };
}
