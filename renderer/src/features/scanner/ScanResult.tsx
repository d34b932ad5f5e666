import { CircleCheck, ScanBarcode, TriangleAlert } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import type { CodePart } from '#shared/lib/articles/dataIdentifiers.ts';
import { readScan } from '#shared/lib/picking/scanCode.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { type Advice, diagnoseKeys, diagnoseScan, pausesOf } from './diagnose.ts';
import { SAMPLES } from './samples.ts';
import styles from './ScannerPage.module.css';
import { Shown } from './Shown.tsx';
import type { Trace } from './useTrace.ts';

const words = texts.scanner.page;

/** Shows the last scan, what it means, and advice on scanner settings. */
export function ScanResult({ trace }: { trace: Trace }) {
  const { scan, keys, isQuiet } = trace;
  const advice = scan === undefined ? (isQuiet ? diagnoseKeys(keys) : []) : diagnoseScan(scan, SAMPLES, keys);
  const isWaiting = scan === undefined && advice.length === 0;
  return (
    <section className={`${parts.card} ${styles.card}`} aria-labelledby="result">
      <h2 id="result" className={styles.title}>
        {words.result}
      </h2>
      <div role="status" className={styles.outcome}>
        {scan !== undefined && (
          <p className={styles.code}>
            <Shown text={scan.code} />
          </p>
        )}
        {scan === undefined && !isWaiting && <p className={styles.code}>{words.noScan}</p>}
        {advice.map((each) => (
          <AdviceLine key={each.sentence} advice={each} />
        ))}
      </div>
      {isWaiting && (
        <div className={`${parts.centered2} ${styles.waiting}`}>
          <ScanBarcode size={32} strokeWidth={1.6} aria-hidden="true" />
          <p className={parts.strong}>{words.waiting}</p>
          <p className={parts.quiet}>{words.waitingNote}</p>
        </div>
      )}
      {scan !== undefined && <Facts trace={trace} />}
    </section>
  );
}

function AdviceLine({ advice: { isFine, sentence } }: { advice: Advice }) {
  const Icon = isFine ? CircleCheck : TriangleAlert;
  return (
    <p className={styles.advice} data-fine={isFine}>
      <Icon size={18} aria-hidden="true" />
      {sentence}
    </p>
  );
}

function Facts({ trace: { scan, keyScan, keys } }: { trace: Trace }) {
  if (scan === undefined) return null;
  const meaning = readScan(scan.code);
  const pauses = pausesOf(keys);
  const facts: (readonly [keyof typeof words.facts, ReactNode])[] = [];
  if (scan.second !== undefined) facts.push(['second', <Shown key="second" text={scan.second} />]);
  facts.push(['source', words.sources[scan.source]]);
  if (scan.source === 'keyboard' && keyScan !== undefined) {
    facts.push(['ends', keyScan.terminator]);
    if (pauses.length > 0) facts.push(['pace', words.pace(Math.min(...pauses), Math.max(...pauses))]);
    facts.push(['layout', words.layouts[keyScan.findings.includes('layout') ? 'different' : 'same']]);
    facts.push(['capsLock', words.capsLock[keys.at(-1)?.capsLock === true ? 'on' : 'off']]);
  }
  if (meaning.symbology !== '') facts.push(['symbology', meaning.symbology]);
  if (meaning.checkDigit === 'right') facts.push(['checkDigit', words.checkDigits.right]);
  if (meaning.checkDigit === 'wrong') facts.push(['checkDigit', words.checkDigits.wrong(meaning.expectedDigit)]);
  const second = scan.second === undefined ? [] : readScan(scan.second).candidates;
  facts.push([
    'tried',
    <Codes key="tried" codes={[...new Set([...meaning.candidates, ...second, ...meaning.fallbacks])]} />,
  ]);
  return (
    <>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{words.facts[name]}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {meaning.parts.length > 0 && <Parts parts={meaning.parts} />}
    </>
  );
}

function Codes({ codes }: { codes: readonly string[] }) {
  return codes.map((code, index) => (
    <Fragment key={code}>
      {index > 0 && ', '}
      <span className={styles.word}>
        <Shown text={code} />
      </span>
    </Fragment>
  ));
}

function Parts({ parts: list }: { parts: readonly CodePart[] }) {
  return (
    <>
      <h3 className={styles.subtitle}>{words.parts}</h3>
      <dl className={styles.facts}>
        {list.map(({ ai, title, value }, index) => (
          <div key={index}>
            <dt>
              ({ai}) {title}
            </dt>
            <dd>
              <Shown text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
