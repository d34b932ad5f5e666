import { expect, test } from 'vitest';
import { basicCredentials } from '../../../electron/server/http/compat/credentials.ts';
import { declaredCharset } from '../../../electron/server/http/bodies/bodyText.ts';
import { bodyFormat, prefersXml } from '../../../electron/server/http/bodies/formats.ts';

test('answers XML if Accept names it and prefers it to JSON, and never to a browser', () => {
  for (const accept of [
    'application/xml',
    'text/xml',
    'Application/XML; charset=utf-8',
    'application/problem+xml',
    'application/xml, application/json;q=0.9',
    'application/json;q=0.5,text/xml;q=0.6',
    'application/xml, text/xml, */*; q=0.01',
    'application/xml, */*',
    'application/xml;q=0.5',
    'application/xml;q=0.2, text/html;q=0, application/json;q=0.1',
  ]) {
    expect(prefersXml(accept), accept).toBe(true);
  }
  for (const accept of [
    undefined,
    '',
    '*/*',
    'application/*',
    'text/*',
    'application/json',
    'application/json, application/xml',
    'application/xml;q=0.5, application/json',
    'application/xml;q=0.5, */*',
    'application/xml;q=0',
    'application/xml;q=2',
    'application/xml;q=x',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'application/xhtml+xml, application/xml',
    'image/svg+xml',
    'image/png',
    ',;,=,;q',
  ]) {
    expect(prefersXml(accept), accept).toBe(false);
  }
});

test('recognizes an XML body by any of its types', () => {
  for (const type of [
    'application/xml',
    'text/xml',
    'Text/XML; charset="UTF-8"',
    'application/soap+xml;charset=utf8;action=x',
    'application/vnd.shop.v2+xml',
  ]) {
    expect(bodyFormat(type), type).toBe('xml');
  }
  expect(bodyFormat('application/json; charset=utf-16')).toBe('json');
  for (const type of [undefined, '', 'application/xmlx', 'text/foo+xml', 'image/svg+xml', 'xml', 'text/json'])
    expect(bodyFormat(type), type).toBeUndefined();
});

test('knows the charsets of bodies by their names, and refuses others', () => {
  expect(declaredCharset(undefined)).toBeUndefined();
  expect(declaredCharset('text/xml; action=charset')).toBeUndefined();
  expect(declaredCharset('application/json;Charset="Latin1"')).toBe('ISO-8859-1');
  expect(declaredCharset('text/xml; action=x; charset=UTF8')).toBe('UTF-8');
  for (const charset of ['iso-8859-15', 'utf-7', 'klingon', '', 'constructor'])
    expect(() => declaredCharset(`text/xml; charset=${charset}`), charset).toThrow(/Send UTF-8/);
});

test('reads credentials of HTTP Basic only in UTF-8', () => {
  expect(basicCredentials(Buffer.from('Bür:se:cret').toString('base64'))).toEqual({
    username: 'Bür',
    secret: 'se:cret',
  });
  expect(basicCredentials(Buffer.from('B\xfcr:secret', 'latin1').toString('base64'))).toBeUndefined();
});
