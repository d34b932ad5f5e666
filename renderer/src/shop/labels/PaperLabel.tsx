import type { LabelCode } from '../../kit/print/labelCode.ts';
import { PaperCode } from '../../kit/print/PaperCode.tsx';
import * as texts from '../../words/texts.ts';
import type { LabelContent } from './labelContents.ts';
import * as labelSheets from './labelSheets.ts';
import styles from './LabelsView.module.css';
import { textPoints } from './textPoints.ts';

type Props = { content: LabelContent; code: LabelCode | undefined; codeText: string; format: labelSheets.Format };

/** A printed label: a title as large as possible, with detail, picture, code and foot. */
export function PaperLabel({ content: { title, detail, foot, picture }, code, codeText, format }: Props) {
  const box = labelSheets.textBox(format, code?.kind ?? 'none', picture !== null);
  const titleBox = detail === '' ? box : { ...box, height: box.height * labelSheets.TITLE_SHARE };
  const detailBox = { ...box, height: box.height * (1 - labelSheets.TITLE_SHARE) };
  // Also print the text of a barcode, in case a scanner cannot read it.
  const small =
    code?.kind !== 'barcode' || codeText === foot ? [foot] : codeText === title ? [codeText] : [foot, codeText];
  return (
    <article
      className={styles.label}
      aria-label={detail === '' ? title : `${title}, ${detail}`}
      data-code={code?.kind}
      style={{ padding: `${labelSheets.PADDING.height}mm ${labelSheets.PADDING.width}mm` }}
    >
      <div className={styles.head}>
        {picture !== null && (
          <img
            className={styles.picture}
            src={`${picture}&size=96`}
            alt=""
            style={{ width: `${box.picture}mm`, height: `${box.picture}mm` }}
          />
        )}
        <div className={styles.texts}>
          <p className={styles.name} style={{ fontSize: `${textPoints(title, titleBox)}pt` }}>
            {title}
          </p>
          {detail !== '' && (
            <p className={styles.detail} style={{ fontSize: `${Math.min(textPoints(detail, detailBox), 16)}pt` }}>
              {detail}
            </p>
          )}
        </div>
      </div>
      {code?.kind === 'problem' && <p className={styles.problem}>{texts.locations.printing.problem}</p>}
      {code !== undefined && <PaperCode className={styles.code} code={code} format={format} />}
      <p className={styles.small}>{small.filter((each) => each !== '').join(' · ')}</p>
    </article>
  );
}
