/** Descriptions and examples of parameters whose schema and endpoint have none. */
export const PARAMETERS: Readonly<Record<string, { description: string; example?: string | number }>> = {
  DeviceID: { description: 'Two groups of six hexadecimal digits; case does not matter.', example: '51D000:000001' },
  SerialNo: { description: 'Serial number of the turbo.', example: 'SIM-1' },
  name: { description: 'The name of a tune, beep, or an encoding.', example: 'beep' },
  username: { description: 'User name; case does not matter.', example: 'admin' },
  id: { description: 'The id from the list or from the answer to its creation.', example: '1' },
  command_id: { description: 'The id from the answer to the command.', example: '1' },
  deviceid: { description: 'Only for this device.', example: '51D000:000001' },
  kind: { description: 'Only of this kind.', example: 'acknowledged' },
  state: { description: 'Only in this state.', example: 'dead' },
  limit: { description: 'Most entries in one answer.', example: 50 },
};
