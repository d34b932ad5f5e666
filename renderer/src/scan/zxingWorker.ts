import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';
import type { ZxingAnswer } from './codeReader.ts';

// Load the reader from the station. By default, the library downloads it from the Internet.
prepareZXingModule({ overrides: { locateFile: () => wasm } });

addEventListener('message', ({ data }: MessageEvent<ImageData>) => {
  void read(data).then((answer) => postMessage(answer));
});

async function read(frame: ImageData): Promise<ZxingAnswer> {
  try {
    const [code] = await readBarcodes(frame, { textMode: 'Plain', maxNumberOfSymbols: 1 });
    return code === undefined
      ? { kind: 'nothing' }
      : { kind: 'read', text: code.text, symbology: code.symbologyIdentifier };
  } catch (error) {
    return { kind: 'broken', reason: error instanceof Error ? error.message : String(error) };
  }
}
