import { countText } from '#shared/lib/text/locale.ts';
import {
  Lightbulb,
  type LucideIcon,
  RadioTower,
  Router,
  RotateCw,
  Tablet,
  TriangleAlert,
  Usb,
  Waypoints,
} from 'lucide-react';
import type { Turbo, TurboLink, TurboTrafficEntry } from '#shared/api/turbo.ts';
import { Button, ButtonLink } from '../../kit/button/Button.tsx';
import { formatAgo, formatTimeLeft, useTimed } from '../../station/time.ts';
import { Moment } from '../../shop/Moment.tsx';
import * as texts from '../../words/texts.ts';
import { useAdvanced } from '../../shop/advancedChoice.ts';
import parts from '../../kit/parts.module.css';
import { useRight, useStationContext } from '../../station/context.ts';
import { useAct } from '../../useAct.ts';
import styles from './Card.module.css';
import { bytesWords, nameOf, shareWords } from './gatewayWords.ts';
import { ManageTurbo } from './GatewayDialogs.tsx';
import type { Seen } from './useTraffic.ts';

const words = texts.turbos;
const ICONS: Readonly<Record<Turbo['transport'], LucideIcon>> = {
  usb: Usb,
  network: Waypoints,
  simulated: RadioTower,
  openepaperlink: Router,
  wled: Lightbulb,
  opendisplay: Tablet,
};
/** Maximum number of errors to show while the log is closed. */
const SHOWN_ERRORS = 3;

type Props = { turbo: Turbo; link: TurboLink | undefined; seen: Seen | undefined; isAdmin: boolean };

/** One turbo: its state, its traffic, and its actions. */
export function GatewayCard({ turbo, link, seen, isAdmin }: Props) {
  const advanced = useAdvanced();
  const { serial_number, status, transport, port, firmware, uptime, device_count } = turbo;
  const name = nameOf(turbo);
  const isOnline = status === 'online';
  // Other hardware uses HTTP, and its traffic is not counted.
  const speaksFrames = transport === 'usb' || transport === 'network' || transport === 'simulated';
  const Icon = isOnline ? ICONS[transport] : TriangleAlert;
  return (
    <li
      className={`${parts.column4} ${parts.card} ${styles.card}`}
      aria-label={name}
      data-down={!isOnline || undefined}
    >
      <header className={parts.middle3}>
        <span className={styles.sign} aria-hidden="true">
          <Icon size={20} strokeWidth={1.8} />
        </span>
        <div className={styles.title}>
          <h2>{name}</h2>
          <p className={styles.status}>
            <span className={styles.state}>{words.status[status]}</span>
            {' · '}
            {words.transport[transport]}
            {!isOnline && <LastHeard at={turbo.last_seen} />}
          </p>
        </div>
      </header>
      <Cause turbo={turbo} link={link} />
      <dl className={styles.facts}>
        <Fact word={words.facts.devices} value={countText(device_count)} />
        {transport !== 'simulated' && <Fact word={words.facts.port} value={port} />}
        <Fact word={words.facts.serial} value={serial_number} />
        <Fact word={words.facts.firmware} value={String(firmware)} />
        {isOnline && <Fact word={words.facts.uptime} value={formatAgo((seen?.uptimeS ?? uptime) * 1_000)} />}
      </dl>
      {speaksFrames ? (
        advanced.isOn && <TrafficPart traffic={seen?.traffic} />
      ) : (
        <Problems problems={link?.problems ?? []} />
      )}
      <footer className={`${parts.row} ${styles.actions}`}>
        {isAdmin && advanced.isOn && speaksFrames && (
          <ButtonLink
            words={words.frames.open}
            to={`/connections/gateways/${encodeURIComponent(serial_number)}/frames`}
            aria-label={words.frames.openOf(name)}
          />
        )}
        <ManageTurbo turbo={turbo} link={link} isAdmin={isAdmin} />
      </footer>
    </li>
  );
}

function LastHeard({ at }: { at: string | null }) {
  return (
    <>
      {' · '}
      {at === null ? words.neverHeard : <Moment at={at} words={words.offlineSince} />}
    </>
  );
}

/** Explains why there is no session and what happens next, or shows the problem of the current session. */
function Cause({ turbo: { status, problem }, link }: { turbo: Turbo; link: TurboLink | undefined }) {
  if (status !== 'online' && link !== undefined) return <Ladder link={link} />;
  return problem === null ? null : <p className={styles.cause}>{sentence(problem)}</p>;
}

/** Lists the problems of a connected controller. */
function Problems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <ul className={`${parts.stack2} ${styles.cause}`}>
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  );
}

export function Fact({ word, value }: { word: string; value: string }) {
  return (
    <div>
      <dt>{word}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function TrafficPart({ traffic }: { traffic: TurboTrafficEntry | undefined }) {
  const since = Date.parse(traffic?.since ?? '');
  const sinceWords = useTimed((now) => (Number.isNaN(since) ? '' : words.traffic.since(formatAgo(now - since))));
  const said = words.traffic;
  // Reserve the space of the counts, because a card that grows under the pointer moves its buttons.
  const facts = traffic === undefined ? FACTS.map((fact) => [said[fact], said.unknown] as const) : factsOf(traffic);
  const errors = traffic?.errors ?? [];
  return (
    <>
      <section className={`${parts.stack2} ${styles.part}`} aria-label={said.title}>
        <h3>
          {said.title} <span className={styles.quiet}>{traffic === undefined ? said.loading : sinceWords}</span>
        </h3>
        <dl className={styles.facts}>
          {facts.map(([word, value]) => (
            <Fact key={word} word={word} value={value} />
          ))}
        </dl>
      </section>
      <section className={`${parts.stack2} ${styles.part}`} aria-label={words.errors.title}>
        <h3>{words.errors.title}</h3>
        {errors.length === 0 ? (
          <p className={styles.quiet}>{traffic === undefined ? said.unknown : words.errors.none}</p>
        ) : (
          <ul className={styles.errors}>
            {errors.slice(0, SHOWN_ERRORS).map(({ at, problem }, place) => (
              // Two errors at the same time may have the same text.
              <li key={`${at} ${place}`}>
                <span>{sentence(problem)}</span>
                <Moment at={at} words={(ago) => ago} />
              </li>
            ))}
          </ul>
        )}
        {errors.length > SHOWN_ERRORS && (
          <p className={styles.quiet}>{words.errors.more(errors.length - SHOWN_ERRORS)}</p>
        )}
      </section>
    </>
  );
}

const FACTS = ['received', 'sent', 'repeated', 'broken', 'roundTrip'] as const;

/** Returns the traffic figures, each with its label. */
function factsOf(traffic: TurboTrafficEntry): (readonly [word: string, value: string])[] {
  const { frames_in, frames_out, bytes_in, bytes_out, repeated_in, repeated_out, broken_frames, round_trip_ms } =
    traffic;
  const said = words.traffic;
  return [
    [said.received, said.amount(frames_in, bytesWords(bytes_in))],
    [said.sent, said.amount(frames_out, bytesWords(bytes_out))],
    [said.repeated, said.repetitions(repeated_out, shareWords(repeated_out, frames_out), repeated_in)],
    [said.broken, said.brokenFrames(broken_frames)],
    [said.roundTrip, round_trip_ms === null ? said.noRoundTrip : said.ms(round_trip_ms)],
  ];
}

/** Capitalizes a reason, because links report reasons in lower case for the log. */
function sentence(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

const ladderWords = texts.turbos.link;

/** Shows which connection step a port without a turbo has reached, why it failed, and when the next attempt is. */
export function Ladder({ link: { id, kind, path, step, problem, attempts, next_try } }: { link: TurboLink }) {
  const { api } = useStationContext();
  const mayTry = useRight('manage_turbos');
  const retry = useAct(() => api.retryTurboLink({ path: { id } }), ladderWords.tryFailed);
  const nextTryAt = Date.parse(next_try ?? '');
  const next = useTimed((now) =>
    Number.isNaN(nextTryAt)
      ? ladderWords.stepHelp[step]
      : ladderWords.nextTry(formatTimeLeft(nextTryAt - now), attempts),
  );

  return (
    <div className={styles.ladder}>
      <div className={styles.why}>
        <p className={parts.strong} role="status">
          {kind !== 'usb' && step === 'opening' ? ladderWords.controllerSteps.opening : ladderWords.steps[step]}
        </p>
        {problem !== null && <p>{problem}</p>}
        <p className={`${parts.figures} ${styles.next}`}>{next}</p>
      </div>
      {mayTry && step !== 'opening' && (
        <Button
          icon={RotateCw}
          words={ladderWords.tryNow}
          aria-label={ladderWords.tryNowOf(path)}
          onPress={() => retry.run()}
        />
      )}
      <p role="alert" className={`${parts.failure} ${styles.failure}`}>
        {retry.status === 'failed' && retry.failure}
      </p>
    </div>
  );
}
