import { expect, test } from 'vitest';
import {
  describeBrokerError,
  describeReason,
  isRefusal,
  reasonOfCode,
} from '../../../electron/server/domain/station/describeBrokerFault.ts';

const error = (code: string, message = 'words') => Object.assign(new Error(message), { code });

test('says what to do about each network error', () => {
  expect(describeBrokerError(error('ECONNREFUSED'))).toBe(
    'Connection refused. Start the broker, or correct mqtt_url. (words)',
  );
  expect(describeBrokerError(error('ENOTFOUND'))).toContain('The name of the broker was not found.');
  expect(describeBrokerError(error('DEPTH_ZERO_SELF_SIGNED_CERT'))).toContain(
    'Set mqtt_ca to the certificate of its issuer',
  );
  expect(describeBrokerError(error('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'))).toContain('mqtt_cert and mqtt_key');
  expect(describeBrokerError(error('ERR_SSL_WRONG_VERSION_NUMBER'))).toContain('speaks TLS at this port');
  expect(describeBrokerError(new Error('connack timeout'))).toContain('accepted the connection but did not answer');
  expect(describeBrokerError(new Error('Invalid header flag bits'))).toBe(
    'The broker does not answer with MQTT. Check mqtt_url. (Invalid header flag bits)',
  );
});

test('maps codes of both MQTT versions to one reason, and distinguishes refusals from temporary faults', () => {
  expect(reasonOfCode(4)).toBe(0x86);
  expect(reasonOfCode(0x87)).toBe(0x87);
  expect([0x86, 0x87, 0x89, 0x8b].map(isRefusal)).toEqual([true, true, false, false]);
  // Mosquitto sends this for a wrong password too.
  expect(describeReason(0x87)).toMatch(/mqtt_password.*\(ACL\)\. \(0x87\)/);
  expect(describeReason(0xff, 'of its own')).toBe('The broker refused. Check its log. (0xff, of its own)');
});
