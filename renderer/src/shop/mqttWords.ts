import type { MqttStatus } from '#shared/api/mqtt.ts';
import type { Tone } from '../kit/feedback/StateTag.tsx';
import * as texts from '../words/texts.ts';

/** Icon and color for each state of the connection to the broker. */
export const MQTT_TONES: Readonly<Record<MqttStatus['state'], Tone>> = {
  off: 'off',
  connecting: 'open',
  connected: 'done',
  refused: 'halted',
  error: 'care',
};

/** Describes the connection to the broker, such as `Connected since 10:42 over MQTT 5`. */
export function mqttStateWords({ state, protocol }: Pick<MqttStatus, 'state' | 'protocol'>, since: string): string {
  return texts.settings.mqtt.states[state](since, protocol ?? '');
}
