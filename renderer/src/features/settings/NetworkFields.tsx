import { Download, TriangleAlert } from 'lucide-react';
import { Fragment } from 'react';
import type { Exposure } from '#shared/api/exposure.ts';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button } from '../../kit/button/Button.tsx';
import { ChoiceField } from '../../kit/field/choiceFields.tsx';
import { saveFile } from '../../kit/download.ts';
import { LinesField, SwitchField, fieldsOf } from '../../kit/field/fields.tsx';
import { WholeNumberField } from '../../kit/field/NumberLine.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import type { GroupFieldsProps } from './SettingsGroup.tsx';
import styles from './SettingsPage.module.css';
import { timeText } from '../../words/formats.ts';

const words = texts.settings.network;

/** Fields that set who can reach the station, how traffic is encrypted, and which host names are allowed. */
export function NetworkFields({ draft, saved, edit }: GroupFieldsProps) {
  const field = fieldsOf(draft, edit);
  const { exposure } = saved;
  const isGiven = exposure.certificate?.kind === 'given';
  return (
    <>
      <Reached exposure={exposure} />
      <div className={styles.pair}>
        <ChoiceField
          {...field('listen')}
          label={words.listen}
          help={exposure.host_argument === '' ? words.listenHelp : words.listenFixed(exposure.host_argument)}
          choices={[
            { id: 'this_machine', text: words.thisMachine },
            { id: 'network', text: words.wholeNetwork },
          ]}
        />
        <ChoiceField
          {...field('tls')}
          label={words.tls}
          help={isGiven ? words.tlsGiven : words.tlsHelp}
          choices={[
            { id: 'off', text: words.tlsOff },
            { id: 'generated', text: words.tlsGenerated },
          ]}
        />
      </div>
      <WholeNumberField
        {...field('port')}
        label={words.port}
        least={1}
        placeholder={portOf(exposure.addresses)}
        help={exposure.port_argument === null ? words.portHelp : words.portFixed(exposure.port_argument)}
      />
      <Programs />
      <LinesField
        {...field('public_urls')}
        label={words.urls}
        help={words.urlsHelp}
        rows={2}
        placeholder="https://pickstation.shop.example/"
      />
      <LinesField
        {...field('trusted_proxies')}
        label={words.proxies}
        help={words.proxiesHelp}
        rows={2}
        placeholder="192.168.1.2"
      />
      <LinesField
        {...field('cors_origins')}
        label={words.origins}
        help={words.originsHelp}
        rows={2}
        placeholder="https://erp.shop.example"
      />
      {draft.unwanted_callers !== '' && (
        <LinesField {...field('unwanted_callers')} label={words.unwanted} help={words.unwantedHelp} rows={2} />
      )}
      <SwitchField {...field('basic_auth')} label={words.basicAuth} help={words.basicAuthHelp} />
      <p role="status" className={`${parts.care} ${styles.warning}`}>
        {draft.basic_auth ? words.basicAuthWarning : ''}
      </p>
    </>
  );
}

/** Shows how the station can be reached now: addresses, certificate and warnings. */
function Reached({ exposure }: { exposure: Exposure }) {
  const { addresses, certificate, warnings, next_start: waiting } = exposure;
  return (
    <div className={parts.column4} role="status">
      <dl className={styles.reachedFacts}>
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
            <dd className={`${parts.stack2} ${styles.certificate}`}>
              <Fingerprint text={certificate.fingerprint} />
              {certificate.kind === 'generated' && (
                <>
                  <p className={styles.reachedQuiet}>{words.compare}</p>
                  <Button onPress={() => saveFile('station.pem', 'application/x-pem-file', certificate.pem)}>
                    <Download size={18} aria-hidden="true" />
                    {words.saveCertificate}
                  </Button>
                  <p className={styles.reachedQuiet}>{words.trust}</p>
                </>
              )}
            </dd>
          </>
        )}
      </dl>
      {waiting.length > 0 && <p className={parts.medium}>{words.nextStart(waiting)}</p>}
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

/** Lists the programs, turbos and boards that would lose their connection if the port changed. */
function Programs() {
  const { api } = useStationContext();
  const { value: users = [] } = useStationQuery(['apiUsers'], () => api.listApiUsers());
  const names = users.filter(({ last_used }) => last_used !== null).map(({ name }) => name);
  return names.length === 0 ? null : <p className={styles.reachedQuiet}>{words.programs(names)}</p>;
}

/** A certificate fingerprint. Lines break only between its numbers, because people read it aloud to compare it. */
function Fingerprint({ text }: { text: string }) {
  return (
    <code className={styles.fingerprint}>
      {text.split(/(?<=:)/).map((part, index) => (
        // Parts can repeat but never change their order, so an index is a safe key.
        <Fragment key={`${index} ${part}`}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </code>
  );
}

function dayOf(moment: string): string {
  return timeText('longDayOfYear', moment);
}

/** Returns the current port, taken from the first address. */
function portOf([address]: readonly string[]): string {
  return address === undefined ? '' : new URL(address).port;
}
