import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import type * as access from '#shared/api/access.ts';
import type * as alias from '#shared/api/alias.ts';
import type * as callback from '#shared/api/callback.ts';
import { pathOf, type Operation, type OperationName } from '../../packages/client/client.ts';
import type * as device from '#shared/api/device.ts';
import type * as imports from '#shared/api/imports.ts';
import type * as history from '#shared/api/history.ts';
import type * as locationImport from '#shared/api/locationImport.ts';
import type * as map from '#shared/api/map.ts';
import { OPERATIONS, type Client } from '../../packages/client/operations.ts';
import type * as wire from '../../packages/client/operations.ts';
import type * as preview from '#shared/api/preview.ts';
import type * as problem from '#shared/api/problem.ts';
import type * as settings from '#shared/api/settings.ts';
import type * as simulator from '#shared/api/simulator.ts';
import type * as station from '#shared/api/station.ts';
import { inAddress, renderOperations } from '../../tools/client.ts';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';
import { fetchDocument, operations, type OpenApi } from './documents.ts';

const WRITTEN = join(import.meta.dirname, '..', '..', 'packages', 'client', 'operations.ts');

let running: TestStation;
let document: OpenApi;

beforeAll(async () => {
  running = await startTestStation();
  document = await fetchDocument(running, '/api/openapi.json');
});

afterAll(() => running.stop());

test("operations.ts matches a station's document (otherwise run npm run contract)", async () => {
  expect(readFileSync(WRITTEN, 'utf8')).toBe(await renderOperations(document));
});

test('the client has exactly the operations of the document, with the same method, path and query parameters', () => {
  const documented = operations(document).map(({ method, path, operation }) => {
    const query = inAddress(operation)
      .filter((parameter) => parameter.in === 'query')
      .map(({ name }) => name);
    return [operation.operationId, { method, path, query }] as const;
  });
  const known = Object.entries(OPERATIONS).map(([name, { method, path, ...rest }]: [string, Operation]) => {
    return [name, { method, path, query: rest.query ?? [] }] as const;
  });
  expect(Object.fromEntries(known)).toEqual(Object.fromEntries(documented));
});

test('sends the parameters of every operation where the document says', () => {
  for (const { path, operation } of operations(document)) {
    const parameters = inAddress(operation);
    const given = Object.fromEntries(parameters.map(({ name }, place) => [name, `p${place}`]));
    const url = new URL(pathOf(operation.operationId as OperationName, given), running.url);
    expect(url.pathname).toBe(path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] ?? ''));
    const asked = parameters.filter((parameter) => parameter.in === 'query');
    expect([...url.searchParams]).toEqual(asked.map(({ name }) => [name, given[name]]));
  }
});

type Body<Name extends OperationName> = Parameters<Client[Name]>[1];
type Answer<Name extends OperationName> = Awaited<ReturnType<Client[Name]>>;

test('request types match the schemas that validate requests, as checked by tsc', () => {
  expectTypeOf<wire.DeviceRequest>().toEqualTypeOf<z.input<typeof device.deviceRequestSchema>>();
  expectTypeOf<wire.Acknowledge>().toEqualTypeOf<z.input<typeof device.acknowledgeSchema>>();
  expectTypeOf<wire.Adjust>().toEqualTypeOf<z.input<typeof device.adjustSchema>>();
  expectTypeOf<wire.NewDevice>().toEqualTypeOf<z.input<typeof device.newDeviceSchema>>();
  expectTypeOf<wire.Replacement>().toEqualTypeOf<z.input<typeof device.replacementSchema>>();
  expectTypeOf<wire.PreviewRequest>().toEqualTypeOf<z.input<typeof preview.previewRequestSchema>>();
  expectTypeOf<wire.NewLocationAlias>().toEqualTypeOf<z.input<typeof alias.newLocationAliasSchema>>();
  expectTypeOf<wire.LocationImportRequest>().toEqualTypeOf<z.input<typeof imports.locationImportRequestSchema>>();
  expectTypeOf<wire.LocationImportUndo>().toEqualTypeOf<z.input<typeof locationImport.importUndoRequestSchema>>();
  expectTypeOf<wire.MapReplacement>().toEqualTypeOf<z.input<typeof map.mapReplacementSchema>>();
  expectTypeOf<wire.NewRack>().toEqualTypeOf<z.input<typeof map.newRackSchema>>();
  expectTypeOf<wire.RackChange>().toEqualTypeOf<z.input<typeof map.rackChangeSchema>>();
  expectTypeOf<wire.SettingsChange>().toEqualTypeOf<z.input<typeof settings.settingsChangeSchema>>();
  expectTypeOf<wire.NewUser>().toEqualTypeOf<z.input<typeof access.newUserSchema>>();
  expectTypeOf<wire.UserChange>().toEqualTypeOf<z.input<typeof access.userChangeSchema>>();
  expectTypeOf<wire.NewApiUser>().toEqualTypeOf<z.input<typeof access.newApiUserSchema>>();
  expectTypeOf<wire.TokenRequest>().toEqualTypeOf<z.input<typeof access.tokenRequestSchema>>();
  expectTypeOf<wire.SimulatedDevicesRequest>().toEqualTypeOf<z.input<typeof simulator.simulatedDevicesRequestSchema>>();
  expectTypeOf<wire.SimulatedDeviceChange>().toEqualTypeOf<z.input<typeof simulator.simulatedDeviceChangeSchema>>();
  expectTypeOf<Parameters<Client['removeCommand']>[0]>().toEqualTypeOf<{ DeviceID: string; command_id: string }>();
  expectTypeOf<Parameters<Client['getDeviceScreen']>[0]>().toEqualTypeOf<{ DeviceID: string; scale?: number }>();
  expectTypeOf<Body<'sendToDevice'>>().toEqualTypeOf<wire.DeviceRequest>();
  expectTypeOf<Body<'pressSimulatedDevice'>>().toEqualTypeOf<wire.SimulatedPress | undefined>();
});

test('answer types match the schemas of the answers, as checked by tsc', () => {
  expectTypeOf<wire.Station>().toEqualTypeOf<z.output<typeof station.stationSchema>>();
  expectTypeOf<wire.Device>().toEqualTypeOf<z.output<typeof device.deviceSchema>>();
  expectTypeOf<wire.BulkResult>().toEqualTypeOf<z.output<typeof device.bulkResultSchema>>();
  expectTypeOf<wire.HistoryEntry>().toEqualTypeOf<z.output<typeof history.historyEntrySchema>>();
  expectTypeOf<wire.Timeline>().toEqualTypeOf<z.output<typeof history.timelineSchema>>();
  expectTypeOf<wire.Map>().toEqualTypeOf<z.output<typeof map.mapSchema>>();
  expectTypeOf<wire.PlacedResult>().toEqualTypeOf<z.output<typeof map.placedResultSchema>>();
  expectTypeOf<wire.LocationImport>().toEqualTypeOf<z.output<typeof locationImport.locationImportSchema>>();
  expectTypeOf<wire.Preview>().toEqualTypeOf<z.output<typeof preview.previewSchema>>();
  expectTypeOf<wire.SettingsAnswer>().toEqualTypeOf<z.output<typeof settings.settingsAnswerSchema>>();
  expectTypeOf<wire.Delivery>().toEqualTypeOf<z.output<typeof callback.deliverySchema>>();
  expectTypeOf<wire.User>().toEqualTypeOf<z.output<typeof access.userSchema>>();
  expectTypeOf<wire.ApiUserSecrets>().toEqualTypeOf<z.output<typeof access.apiUserSecretsSchema>>();
  expectTypeOf<wire.AuditEntry>().toEqualTypeOf<z.output<typeof access.auditEntrySchema>>();
  expectTypeOf<wire.SimulatedDevice>().toEqualTypeOf<z.output<typeof simulator.simulatedDeviceSchema>>();
  expectTypeOf<wire.Problem>().toEqualTypeOf<z.output<typeof problem.problemSchema>>();
  expectTypeOf<Answer<'sendToDevice'>>().toEqualTypeOf<z.output<typeof device.deviceResultSchema>>();
  expectTypeOf<Answer<'listHistory'>>().toEqualTypeOf<wire.HistoryEntry[]>();
  expectTypeOf<Answer<'removeDevice'>>().toEqualTypeOf<void>();
});
