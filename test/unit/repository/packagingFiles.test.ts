import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const BUILDER = read('electron-builder.yml');

test('the macOS package declares each network service that the station searches for', () => {
  const searched = globSync('electron/server/**/*.ts', { cwd: ROOT }).flatMap((path) =>
    [...read(path).matchAll(/= '(_[\w-]+\._(?:tcp|udp))\.local'/g)].map(([, service]) => service),
  );
  expect(searched.length).toBeGreaterThan(1);
  const [, list = ''] = /NSBonjourServices:\n((?: +- .+\n)+)/.exec(BUILDER) ?? [];
  expect(new Set(list.match(/_.+/g))).toEqual(new Set(searched));
});

test('the entitlements cover only JavaScript and the camera, and macOS gets reasons for the camera and the local network', () => {
  const { plist } = new XMLParser().parse(read('resources/packaging/macos/entitlements.plist')) as {
    plist: { dict: { key: string[] } };
  };
  expect(plist.dict.key).toEqual(['com.apple.security.cs.allow-jit', 'com.apple.security.device.camera']);
  expect(BUILDER).toContain('NSCameraUsageDescription');
  expect(BUILDER).toContain('NSLocalNetworkUsageDescription');
});
