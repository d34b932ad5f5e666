import { Download, TriangleAlert } from 'lucide-react';
import { Fragment } from 'react';
import type { Exposure } from '#shared/api/exposure.ts';
import { Button } from '../../ui/Button.tsx';
import { saveFile } from '../../ui/download.ts';
import { texts } from '../../ui/texts.ts';
import styles from './Reached.module.css';

const words = texts.settings.network;

/** How the station is reached now: by which addresses, with which certificate, and what the owner should know of that. */
export function Reached({ exposure }: { exposure: Exposure }) {
  const { addresses, certificate, warnings, next_start: waiting } = exposure;
  return (
    <div className={styles.reached} role="status">
      <dl className={styles.facts}>
        <dt>{words.reached}</dt>
        <dd>
          <ul>
            {addresses.map((address) => (
              <li key={address}>{address}</li>
            ))}
          </ul>
        </dd>
        <dt>{words.encryption}</dt>
        <dd>{certificate === null ? words.plain : words.until(certificate.kind, dayOf(certificate.ends_at))}</dd>
        {certificate !== null && (
          <>
            <dt>{words.fingerprint}</dt>
            <dd className={styles.certificate}>
              <Fingerprint text={certificate.fingerprint} />
              {certificate.kind === 'generated' && (
                <>
                  <p className={styles.quiet}>{words.compare}</p>
                  <Button onPress={() => saveFile('station.pem', 'application/x-pem-file', certificate.pem)}>
                    <Download size={18} aria-hidden="true" />
                    {words.saveCertificate}
                  </Button>
                  <p className={styles.quiet}>{words.trust}</p>
                </>
              )}
            </dd>
          </>
        )}
      </dl>
      {waiting.length > 0 && <p className={styles.waiting}>{words.nextStart(waiting)}</p>}
      {warnings.length > 0 && (
        <ul className={styles.warnings}>
          {warnings.map(({ code, message }) => (
            <li key={code}>
              <TriangleAlert size={18} aria-hidden="true" />
              <span>{message}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Its lines end between two numbers: it is read aloud and compared. */
function Fingerprint({ text }: { text: string }) {
  return (
    <code className={styles.fingerprint}>
      {text.split(/(?<=:)/).map((part, index) => (
        // Equal parts may come twice, and none ever moves.
        <Fragment key={`${index} ${part}`}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </code>
  );
}

function dayOf(moment: string): string {
  return new Date(moment).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
}
