import { RadioTower, Unplug } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { TurboLink } from '#shared/api/turbo.ts';
import { useRight, useStationState } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import { EmptyState } from '../../kit/feedback/EmptyState.tsx';
import { PageHeader } from '../../kit/page/PageHeader.tsx';
import layout from '../../kit/page/Page.module.css';
import * as texts from '../../words/texts.ts';
import parts from '../../kit/parts.module.css';
import { EditKey, EditPlaces } from '../../shop/connect/ConnectController.tsx';
import { ConnectMenu } from '../../shop/connect/ConnectMenu.tsx';
import card from './Card.module.css';
import { Boards } from './Boards.tsx';
import { FramesView } from './FramesView.tsx';
import { joinLinks, type Radio } from './gatewayWords.ts';
import { Ladder, Fact, GatewayCard } from './GatewayCard.tsx';
import { Disconnect } from './GatewayDialogs.tsx';
import styles from './GatewaysPage.module.css';
import { type Seen, useTraffic } from './useTraffic.ts';

const words = texts.turbos;
const NO_TURBOS: readonly never[] = [];
const FRAMES = /^\/connections\/gateways\/([^/]+)\/frames\/?$/;

/** The Gateways page, which shows turbos and ports. */
export function GatewaysPage() {
  const [path] = useLocation();
  const serialNumber = FRAMES.exec(path)?.[1];
  if (serialNumber === undefined) return <Radios />;
  return <FramesView key={serialNumber} serialNumber={decodeURIComponent(serialNumber)} />;
}

function Radios() {
  const turbos = useStationState(({ station }) => station?.turbos ?? NO_TURBOS);
  const links = useStationState(({ station }) => station?.links ?? NO_TURBOS);
  const isAdmin = useRight('manage_turbos');
  const seen = useTraffic();
  const radios = useMemo(() => joinLinks(turbos, links), [turbos, links]);
  const online = turbos.filter(({ status }) => status === 'online').length;
  return (
    <div className={layout.page}>
      <PageHeader title={words.title} note={turbos.length === 0 ? undefined : words.count(online, turbos.length)}>
        {radios.length > 0 && <Connect isAdmin={isAdmin} />}
      </PageHeader>
      <main className={styles.content}>
        {isAdmin && <Boards className={`${parts.stack4} ${styles.cards} ${styles.boards}`} />}
        {radios.length === 0 ? (
          <EmptyState
            picture={<RadioTower size={32} strokeWidth={1.6} />}
            title={words.none.title}
            term="turbo"
            body={isAdmin ? words.none.body : words.none.adminOnly}
            action={<Connect isAdmin={isAdmin} />}
          />
        ) : (
          <ul className={`${parts.stack4} ${styles.cards}`} aria-label={words.list}>
            {radios.map((radio) => (
              <Card key={keyOf(radio)} radio={radio} seen={seen} isAdmin={isAdmin} />
            ))}
          </ul>
        )}
      </main>
    </div>
  );
}

function Connect({ isAdmin }: { isAdmin: boolean }) {
  if (isAdmin) return <ConnectMenu />;
  return <Button needs="manage_turbos">{words.connect.open}</Button>;
}

function Card({ radio, seen, isAdmin }: { radio: Radio; seen: ReadonlyMap<string, Seen>; isAdmin: boolean }) {
  if (radio.kind === 'link') return <LinkCard link={radio.link} isAdmin={isAdmin} />;
  const { turbo, link } = radio;
  return <GatewayCard turbo={turbo} link={link} seen={seen.get(turbo.serial_number)} isAdmin={isAdmin} />;
}

function keyOf(radio: Radio): string {
  return radio.kind === 'turbo' ? radio.turbo.serial_number : `link ${radio.link.id}`;
}

/** A port that is open but has no turbo. */
function LinkCard({ link, isAdmin }: { link: TurboLink; isAdmin: boolean }) {
  const { kind, name, path, serial_number, baud_rate, flow_control } = link;
  const [asks, setAsks] = useState<'places' | 'key' | 'disconnect'>();
  return (
    <li className={`${parts.column4} ${parts.card} ${card.card}`} aria-label={path} data-down>
      <header className={parts.middle3}>
        <span className={card.sign} aria-hidden="true">
          <Unplug size={20} strokeWidth={1.8} />
        </span>
        <div className={card.title}>
          <h2>{name === '' ? path : name}</h2>
          <p className={card.status}>{kind === 'usb' ? words.link.kind : words.transport[kind]}</p>
        </div>
      </header>
      <Ladder link={link} />
      <dl className={card.facts}>
        {kind === 'usb' ? (
          <Fact word={words.serial.baud} value={words.link.line(baud_rate, flow_control)} />
        ) : (
          <Fact word={words.controller.address} value={path} />
        )}
        {serial_number !== '' && <Fact word={words.facts.serial} value={serial_number} />}
      </dl>
      {isAdmin && (
        <footer className={`${parts.row} ${card.actions}`}>
          {kind === 'wled' && <Button onPress={() => setAsks('places')}>{words.controller.edit}</Button>}
          {kind === 'opendisplay' && <Button onPress={() => setAsks('key')}>{words.controller.newKey}</Button>}
          <Button onPress={() => setAsks('disconnect')}>{words.disconnect.action}</Button>
        </footer>
      )}
      {asks === 'places' && <EditPlaces link={link} onClose={() => setAsks(undefined)} />}
      {asks === 'key' && <EditKey link={link} onClose={() => setAsks(undefined)} />}
      {asks === 'disconnect' && <Disconnect link={link} onClose={() => setAsks(undefined)} />}
    </li>
  );
}
