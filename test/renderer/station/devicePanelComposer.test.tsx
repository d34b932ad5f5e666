import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { DeviceRequest } from '#shared/api/device.ts';
import { CommandForm } from '../../../renderer/src/shop/composer/CommandForm.tsx';
import type { CanvasBox } from '../../../renderer/src/shop/screen/canvasBoxes.ts';
import { button, describedBy, ID, openTab, press, showPanel, type, valueOf } from '../frame/panelSupport.tsx';
import { device, show, station, testContext } from '../support.tsx';

const OTHER = '51D000:000003';
const one = device(ID, { locationoverride: 'A-3-2', firmware: 70 });
const other = device(OTHER, { locationoverride: 'A-3-3' });

beforeEach(() => {
  sessionStorage.clear();
});

async function showForm() {
  const sent: DeviceRequest[] = [];
  const shown = await showPanel([one, other], {
    sendToDevice: ({ path: { DeviceID: deviceid }, body: request }) => {
      sent.push(request);
      return Promise.resolve({ deviceid, command_id: '7', state: 'queued', delivery: 'queued', warnings: [] });
    },
  });
  await openTab('Send');
  return { sent, ...shown };
}

const preview = () => within(screen.getByRole('figure'));
const shows = () => preview().getAllByRole('img')[0]?.getAttribute('aria-label');
const fillIn = (name: string | RegExp, value: string) =>
  act(async () => fireEvent.change(screen.getByRole('combobox', { name }), { target: { value } }));
const code = (name: string) => screen.getByRole('region', { name }).textContent ?? '';

async function submit(): Promise<void> {
  await act(async () => fireEvent.submit(screen.getByRole('textbox', { name: 'Line 1' })));
}

async function chooseSign(search: string): Promise<void> {
  const dialog = within(screen.getByRole('dialog'));
  const box = dialog.getByRole('searchbox');
  await act(async () => fireEvent.change(box, { target: { value: search } }));
  await act(async () => fireEvent.keyDown(box, { key: 'Enter' }));
}

describe('the fields', () => {
  test('fields can be added with one press, are sent, and appear in the code', async () => {
    const { sent } = await showForm();
    await act(async () => fireEvent.click(screen.getByRole('radio', { name: /Flash/ })));
    await type('Line 1', 'Cable tie');
    await press(button('Add: Line 3'));
    await type('Line 3', 'third');
    await type('Quantity', '12');
    await type(/^Seconds/, '0');
    await fillIn('Color', 'b');
    await press(button('Add: Icon'));
    await chooseSign('gloves');
    await press(button('Add: Barcode'));
    await type('Barcode', 'CT-200');
    await press(button('Add: Sound'));
    await fillIn(/^Sound/, 'Charge');
    await press(button('Add: Nonce'));
    await type(/^Nonce/, 'n1');
    const wanted = {
      command: 'flash',
      line1: 'Cable tie',
      line3: 'third',
      quantity: 12,
      seconds: 0,
      color: 'b',
      icon: 'hazardn',
      barcode: 'CT-200',
      sound: 'Charge',
      nonce: 'n1',
    };

    expect(code('Command line that sends this command')).toContain('"icon":"hazardn"');
    await press(screen.getByRole('tab', { name: 'JSON' }));
    expect(JSON.parse(code('Body of the request'))).toEqual(wanted);
    await press(screen.getByRole('tab', { name: 'URL' }));
    expect(code('Address that sends this command')).toContain(`/api/${ID}/flash/Cable%20tie`);
    expect(screen.getByText('The address leaves out quantity.')).toBeTruthy();
    await submit();
    expect(sent).toEqual([wanted]);
  });

  test('lists arrows by their direction', async () => {
    const { sent } = await showForm();
    await press(button(/Arrow/));
    await press(screen.getByRole('option', { name: 'top right' }));
    await submit();
    expect(sent).toEqual([{ command: 'pick', arrow: 'topright' }]);
    expect(shows()).toBe('Screen: A-3-2, arrow top right');
  });

  test('an added field can be removed together with its value', async () => {
    const { sent } = await showForm();
    await press(button('Add: QR code'));
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'QR code' }));
    await type('QR code', 'Q');
    expect(screen.queryByRole('button', { name: 'Add: QR code' })).toBeNull();
    await press(button('Remove: QR code'));
    expect(screen.queryByRole('textbox', { name: 'QR code' })).toBeNull();
    expect(document.activeElement).toBe(button('Add: QR code'));
    await submit();
    expect(sent).toEqual([{ command: 'pick' }]);
  });

  test('adding a field with a list moves the focus into it', async () => {
    await showForm();
    await press(button('Add: Sound'));
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: /^Sound/ }));
  });

  test('the code for several devices addresses all of them, but offers no URL', async () => {
    const context = testContext({ station: station(one, other), connection: { kind: 'live' } });
    show(context, <CommandForm deviceids={[ID, OTHER]} />);
    await type('Line 1', 'Count');
    const each = { command: 'pick', line1: 'Count' };
    expect(code('Command line that sends this command')).toContain('/api/devices/');
    await press(screen.getByRole('tab', { name: 'JSON' }));
    expect(JSON.parse(code('Body of the request'))).toEqual([
      { deviceid: ID, ...each },
      { deviceid: OTHER, ...each },
    ]);
    await press(screen.getByRole('tab', { name: 'URL' }));
    expect(screen.getByText('An address works for one device only. For several, use JSON or curl.')).toBeTruthy();
  });
});

describe('the preview', () => {
  test('the preview follows the input, including the LED and the sound', async () => {
    await showForm();
    expect(shows()).toBe('Screen: A-3-2');
    await type('Line 1', 'Cable tie');
    await type('Quantity', '3');
    await press(button('Add: Sound'));
    await fillIn(/^Sound/, 'Charge');
    expect(shows()).toBe('Screen: A-3-2, quantity 3, Cable tie');
    expect(screen.getByRole('figure').textContent).toMatch(/Lit red.*60 s.*Charge · 1\.8 s/);
    await act(async () => fireEvent.click(screen.getByRole('radio', { name: /Flash/ })));
    expect(screen.getByRole('figure').textContent).toContain('Blinking red');
  });

  test('warns while typing that text will be cut', async () => {
    await showForm();
    await type('Line 2', 'x'.repeat(27));
    expect(preview().getByRole('status').textContent).toContain('Line 2 is longer than 26 characters');
    expect(screen.getByText('27/26')).toBeTruthy();
    await type('Line 2', 'x');
    expect(preview().getByRole('status').textContent).toBe('');
  });

  test('warnings use the field names of the page but leave typed text unchanged', async () => {
    await showForm();
    await type('Line 1', 'line2 qrcode line3 statica line4');
    expect(preview().getByRole('status').textContent).toBe(
      'Line 1 is longer than 26 characters and was cut to "line2 qrcode line3 statica".',
    );
  });

  test('warns about an element that would not be drawn, and still sends the command', async () => {
    const { sent } = await showForm();
    await type('Quantity', '3');
    await press(button('Add: Icon'));
    await chooseSign('gloves');
    await press(button('Add: QR code'));
    await type('QR code', 'Q');
    expect(preview().getByRole('status').textContent).toContain('is not drawn: at most 2');
    await submit();
    expect(sent).toHaveLength(1);
  });

  test('reports an invalid color in its field only when the field loses the focus', async () => {
    await showForm();
    const color = screen.getByRole('combobox', { name: 'Color' });
    await fillIn('Color', 'orang');
    expect(color.getAttribute('aria-invalid')).toBeNull();
    expect(screen.getByRole('figure').textContent).toContain('Unknown color');
    await act(async () => fireEvent.blur(color));
    expect(describedBy(color)).toContain('“orang” is not a color. Use orange or #rrggbb.');
    await press(button('Add: Sound'));
    await fillIn(/^Sound/, '140,c9,2');
    expect(preview().getByRole('status').textContent).toContain('at character 5');
  });

  test('the preview can be drawn for a different firmware without losing the input', async () => {
    const drawn = drawings();
    const context = testContext({ station: station(one), connection: { kind: 'live' } });
    context.boxes = { ...context.boxes, watch: (_place, handle) => (handle(NEAR), () => undefined) };
    const { unmount } = show(context, <CommandForm deviceids={[ID]} />);
    await type('Quantity', '5');
    const [own, older] = drawn();
    expect(own).toBeTruthy();
    expect(older).not.toBe(own);
    await act(async () => fireEvent.click(screen.getByRole('radio', { name: '66' })));
    expect(drawn()).toEqual([older, own]);
    expect(valueOf('Quantity')).toBe('5');
    unmount();
  });
});

const NEAR: CanvasBox = { width: 296, near: true, pixelRatio: 1 };

/** Returns a function that reads what each canvas of the preview shows, as text, in page order. */
function drawings(): () => (string | undefined)[] {
  const pixels = new WeakMap<HTMLCanvasElement, string>();
  class Image {
    readonly data: Uint8ClampedArray;
    constructor(data: Uint8ClampedArray) {
      this.data = data;
    }
  }
  vi.stubGlobal('ImageData', Image);
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function get(this: HTMLCanvasElement) {
    const context = { putImageData: (image: Image) => pixels.set(this, image.data.join()) };
    return context as never;
  });
  return () =>
    preview()
      .getAllByRole('img')
      .map((canvas) => pixels.get(canvas as HTMLCanvasElement));
}

beforeEach(() => () => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
