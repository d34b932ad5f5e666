import { expect, test } from 'vitest';
import { describeSendError } from '../../../electron/server/domain/callbacks/describeSendError.ts';

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

test.each<[string, string, RegExp]>([
  ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1', /^Connection refused\. .* \(connect ECONNREFUSED/],
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND h', /^The name .* was not found/],
  ['EAI_AGAIN', 'getaddrinfo EAI_AGAIN h', /^The name .* was not found/],
  ['ECONNRESET', 'read ECONNRESET', /closed the connection/],
  ['UND_ERR_SOCKET', 'other side closed', /closed the connection/],
  ['UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error', /cannot be reached/],
  ['EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.1:80', /cannot be reached/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', /certificate .* is not trusted.*self-signed/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate', /is not trusted/],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unable to get local issuer certificate', /is not trusted/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Hostname/IP does not match', /is not trusted/],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'write EPROTO', /encrypted connection failed/],
  ['HPE_INVALID_CONSTANT', 'Expected HTTP/', /valid HTTP/],
  ['UND_ERR_HEADERS_OVERFLOW', 'Headers Overflow Error', /valid HTTP/],
  ['WHATEVER', 'what it says', /^The callback could not be sent\. \(what it says\)$/],
])('describes %s in words, with the message of the system', (code, message, words) => {
  expect(describeSendError(failure(code, message))).toMatch(words);
  expect(describeSendError(failure(code, message))).toContain(message);
});

test('describes a host that refuses connections at every address, although the error has no message', () => {
  const refused = ['::1', '127.0.0.1'].map((ip) => failure('ECONNREFUSED', `connect ECONNREFUSED ${ip}:1`));
  const error = Object.assign(new AggregateError(refused, ''), { code: 'ECONNREFUSED' });
  expect(describeSendError(error)).toMatch(
    /^Connection refused\. .* \(connect ECONNREFUSED ::1:1, connect ECONNREFUSED 127\.0\.0\.1:1\)$/,
  );
});

test('describes an AggregateError without a message by the errors in it, or by its code', () => {
  const error = (errors: unknown[]) => Object.assign(new AggregateError(errors, ''), { code: 'ECONNREFUSED' });
  expect(describeSendError(error(['odd', new Error('even')]))).toContain('(odd, even)');
  expect(describeSendError(error([]))).toContain('(ECONNREFUSED)');
});

test('recognizes an HTTP parser error by its name, because it has no code', () => {
  const error = Object.assign(new Error('Expected HTTP/'), { name: 'HTTPParserError', code: undefined });
  expect(describeSendError(error)).toMatch(/^The receiver did not answer with valid HTTP\. .* \(Expected HTTP\/\)$/);
});

test('keeps our own messages, truncates long ones, and never returns an empty text', () => {
  expect(describeSendError(new Error('No callback URL is set.'))).toBe('No callback URL is set.');
  expect(describeSendError(failure('X', `a${'x'.repeat(299)}`))).toContain(`(a${'x'.repeat(299)})`);
  expect(describeSendError(failure('X', `a${'x'.repeat(300)}`))).toContain(`(a${'x'.repeat(299)}...)`);
  expect(describeSendError(failure('EPROTO', 'wrong version\nnumber:\n'))).toMatch(/\(wrong version number:\)$/);
  expect(describeSendError(new Error(''))).toBe('The callback could not be sent.');
  expect(describeSendError('odd')).toContain('odd');
});
