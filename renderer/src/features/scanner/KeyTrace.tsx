import type { WedgeKey } from '../../scan/wedge.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import styles from './ScannerPage.module.css';

const words = texts.scanner.page;

/** Lists the keys as the browser reports them, with the pauses between them. */
export function KeyTrace({ keys }: { keys: readonly WedgeKey[] }) {
  return (
    <section className={`${parts.card} ${styles.card}`} aria-labelledby="keys">
      <h2 id="keys" className={styles.title}>
        {words.keys}
        {keys.length > 0 && <span className={parts.figures}> {words.keyCount(keys.length)}</span>}
      </h2>
      {keys.length === 0 ? (
        <p className={parts.quiet}>{words.noKeys}</p>
      ) : (
        <div className={styles.scroll} tabIndex={0} role="group" aria-labelledby="keys">
          <table className={styles.keys}>
            <thead>
              <tr>
                <th scope="col">{words.columns.time}</th>
                <th scope="col">{words.columns.key}</th>
                <th scope="col">{words.columns.position}</th>
                <th scope="col">{words.columns.with}</th>
              </tr>
            </thead>
            <tbody>
              {keys.map((key, index) => (
                <tr key={index}>
                  <td>{words.after(Math.round(key.at - (keys[index - 1]?.at ?? key.at)))}</td>
                  <td>{key.key === ' ' ? words.space : key.key}</td>
                  <td>{key.code}</td>
                  <td>{heldWith(key)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function heldWith({ key, shift, ctrl, alt, altGraph, meta, capsLock }: WedgeKey): string {
  const held = { Shift: shift, Ctrl: ctrl, Alt: alt, AltGr: altGraph, Meta: meta, 'Caps Lock': capsLock };
  return Object.entries(held)
    .filter(([name, isHeld]) => isHeld && !key.startsWith(name))
    .map(([name]) => name)
    .join(' + ');
}
