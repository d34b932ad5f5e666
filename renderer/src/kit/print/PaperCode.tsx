import * as texts from '../../words/texts.ts';
import type { CodeBox, LabelCode } from './labelCode.ts';

type Props = { className?: string | undefined; code: LabelCode; format: CodeBox };

/** A printed barcode or QR code. Renders nothing if the text fits neither. */
export function PaperCode({ className, code, format }: Props) {
  const words = texts.locations.printing;
  if (code.kind === 'problem') return null;
  const isSquare = code.kind === 'qrcode';
  const { width, height } = isSquare ? { width: format.qrcode, height: format.qrcode } : format.barcode;
  return (
    <svg
      className={className}
      viewBox={`0 0 ${code.modules} ${isSquare ? code.modules : 1}`}
      preserveAspectRatio="none"
      style={{ width: `${width}mm`, height: `${height}mm` }}
      role="img"
      aria-label={isSquare ? words.qrcode : words.barcode}
    >
      <path d={code.path} />
    </svg>
  );
}
