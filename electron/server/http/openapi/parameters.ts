/** Descriptions and examples of parameters whose schema and endpoint have none. */
export const PARAMETERS: Readonly<Record<string, { description: string; example?: string | number }>> = {
  DeviceID: { description: 'Two groups of six hexadecimal digits, in either case.', example: '51D000:000001' },
  SerialNo: { description: 'Serial number of the turbo.', example: 'SIM-1' },
  name: { description: 'The name of a tune, beep, or an encoding.', example: 'beep' },
  username: { description: 'User name, in either case.', example: 'admin' },
  id: { description: 'As the list, or its creation, answered it.', example: '1' },
  command_id: { description: 'As the answer to the command named it.', example: '1' },
  deviceid: { description: 'Only of this device.', example: '51D000:000001' },
  kind: { description: 'Only of this kind.', example: 'acknowledged' },
  state: { description: 'Only in this state.', example: 'dead' },
  limit: { description: 'Entries of one answer, at most.', example: 50 },
};
