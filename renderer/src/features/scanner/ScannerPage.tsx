import { useMemo } from 'react';
import { ScannerLinks } from '../../scan/ScannerLinks.tsx';
import { useAnswerSounds } from '../../sound/answerSounds.ts';
import { SoundButton } from '../../sound/SoundControls.tsx';
import layout from '../../kit/page/Page.module.css';
import { PageHeader } from '../../kit/page/PageHeader.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { diagnoseScan } from './diagnose.ts';
import { KeyTrace } from './KeyTrace.tsx';
import { SAMPLES, type Sample } from './samples.ts';
import { ScanResult } from './ScanResult.tsx';
import styles from './ScannerPage.module.css';
import { useTrace } from './useTrace.ts';

const words = texts.scanner.page;
/**
 * Number of modules above which a barcode is drawn with one pixel per module instead of two, so that it fits on a
 * phone.
 */
const WIDE = 180;

/** The Scanner page, which shows what a scanner sends and how to configure the scanner. */
export function ScannerPage() {
  const sounds = useAnswerSounds();
  const trace = useTrace((scan) => {
    const isFine = diagnoseScan(scan, SAMPLES).every((advice) => advice.isFine);
    (isFine ? sounds.right : sounds.wrong)();
  });
  const links = useMemo(() => <ScannerLinks />, []);
  return (
    <div className={layout.page}>
      <PageHeader title={texts.scanner.title} note={texts.scanner.note}>
        <SoundButton />
      </PageHeader>
      <main className={styles.content}>
        <div className={styles.columns}>
          <div className={styles.column}>
            <section className={`${parts.card} ${styles.card}`} aria-labelledby="samples">
              <h2 id="samples" className={styles.title}>
                {words.samples}
              </h2>
              <ul className={parts.column4}>
                {SAMPLES.map((sample) => (
                  <Barcode key={sample.name} sample={sample} />
                ))}
              </ul>
            </section>
            <section className={`${parts.card} ${styles.card}`} aria-labelledby="links">
              <h2 id="links" className={styles.title}>
                {words.links}
              </h2>
              {links}
            </section>
          </div>
          <div className={styles.column}>
            <ScanResult trace={trace} />
            <KeyTrace keys={trace.keys} />
          </div>
        </div>
      </main>
    </div>
  );
}

function Barcode({ sample: { name, shown, path, modules } }: { sample: Sample }) {
  return (
    <li className={parts.column1}>
      <h3 className={parts.title}>{words.sampleNames[name]}</h3>
      <figure className={styles.paper}>
        <svg
          className={styles.bars}
          viewBox={`0 0 ${modules} 1`}
          preserveAspectRatio="none"
          shapeRendering="crispEdges"
          role="img"
          aria-label={words.sample(shown)}
          width={modules * (modules > WIDE ? 1 : 2)}
        >
          <path d={path} />
        </svg>
        <figcaption className={styles.caption}>{shown}</figcaption>
      </figure>
    </li>
  );
}
