import { ChevronDown, Lightbulb, Plus, RadioTower, Router, Tablet, Usb, Waypoints } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ApiUserSecrets } from '#shared/api/access.ts';
import type { FoundControllerEntry, TurboNetwork } from '#shared/api/turbo.ts';
import { Button } from '../../kit/button/Button.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import type { FieldMessages } from '../../kit/field/fieldProblems.ts';
import { Menu, menuOf } from '../../kit/menu/Menu.tsx';
import { WholeNumberField } from '../../kit/field/NumberLine.tsx';
import { usePaletteActions } from '../paletteActions.ts';
import * as texts from '../../words/texts.ts';
import { useServices } from '../toasts.ts';
import { useTask } from '../../station/addresses.ts';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { useAct } from '../../useAct.ts';
import { CopyLine } from '../../kit/button/CopyLine.tsx';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { LineField } from '../../kit/field/fields.tsx';
import { useLeaveGuard } from '../../kit/dialog/leaveGuard.tsx';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import parts from '../../kit/parts.module.css';
import { ProblemForm } from '../../kit/field/ProblemForm.tsx';
import { ConnectController } from './ConnectController.tsx';
import { ConnectSerial } from './ConnectSerial.tsx';
import styles from './Connect.module.css';

const words = texts.turbos.connect;

type Way = 'serial' | 'network' | 'simulated' | FoundControllerEntry['kind'];

/** A menu of ways to connect a new turbo. */
export function ConnectMenu() {
  const [way, setWay] = useState<Way>();
  const close = () => setWay(undefined);
  useTask({ connect: () => setWay('serial'), simulate: () => setWay('simulated') });
  usePaletteActions([{ id: 'connectTurbo', words: words.open, hint: texts.turbos.title, run: () => setWay('serial') }]);
  return (
    <>
      <Menu
        label={words.menu}
        placement="bottom end"
        trigger={
          <Button look="primary">
            <Plus size={18} aria-hidden="true" />
            {words.open}
            <ChevronDown size={16} aria-hidden="true" />
          </Button>
        }
        groups={menuOf([
          { id: 'serial', words: words.serial, icon: Usb, run: () => setWay('serial') },
          { id: 'network', words: words.network, icon: Waypoints, run: () => setWay('network') },
          { id: 'wled', words: words.wled, icon: Lightbulb, run: () => setWay('wled') },
          { id: 'openepaperlink', words: words.openepaperlink, icon: Router, run: () => setWay('openepaperlink') },
          { id: 'opendisplay', words: words.opendisplay, icon: Tablet, run: () => setWay('opendisplay') },
          { id: 'simulated', words: words.simulated, icon: RadioTower, run: () => setWay('simulated') },
        ])}
      />
      {way === 'serial' && <ConnectSerial onClose={close} />}
      {way === 'network' && <ConnectNetwork onClose={close} />}
      {(way === 'wled' || way === 'openepaperlink' || way === 'opendisplay') && (
        <ConnectController kind={way} onClose={close} />
      )}
      {way === 'simulated' && <ConnectSimulated onClose={close} />}
    </>
  );
}

const connectSimulatedWords = texts.turbos.simulated;
const USUAL = 6;
const MAX = 1_000;

/** A dialog that creates simulated devices on a simulated turbo. */
function ConnectSimulated({ onClose }: { onClose(): void }) {
  const { api, toasts } = useServices();
  const [count, setCount] = useState<number | null>(USUAL);
  return (
    <FormDialog
      title={connectSimulatedWords.title}
      submit={connectSimulatedWords.submit}
      draft={count}
      check={(): FieldMessages =>
        count === null || count < 1 || count > MAX ? { count: connectSimulatedWords.noCount } : {}
      }
      save={async () => {
        await api.addSimulatedDevices({ body: { count: count ?? USUAL } });
        toasts.show(connectSimulatedWords.done(count ?? USUAL));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{connectSimulatedWords.lead}</p>
      <WholeNumberField name="count" label={connectSimulatedWords.count} value={count} onChange={setCount} />
    </FormDialog>
  );
}

const connectNetworkWords = texts.turbos.network;

/** A dialog that shows what to enter in a turbo that connects over the network. */
function ConnectNetwork({ onClose }: { onClose(): void }) {
  const { api } = useStationContext();
  const network = useStationQuery(['turboNetwork'], () => api.getTurboNetwork());
  const [secrets, setSecrets] = useState<ApiUserSecrets>();
  return (
    <Dialog
      title={connectNetworkWords.title}
      isOpen
      size="large"
      // Clicking outside must not close a dialog with a key that is shown only once.
      role={secrets === undefined ? 'dialog' : 'alertdialog'}
      onClose={onClose}
      actions={
        <Button words={connectNetworkWords.done} look={secrets === undefined ? 'plain' : 'primary'} onPress={onClose} />
      }
    >
      <div className={styles.steps}>
        <section className={`${parts.column3} ${styles.step}`}>
          <h3>{connectNetworkWords.address}</h3>
          {network.value !== undefined && <Addresses network={network.value} />}
          {network.status === 'waiting' && <p className={parts.quiet}>{texts.frame.loading}</p>}
          <Failure>{network.status === 'failed' && `${connectNetworkWords.failed} ${network.failure}`}</Failure>
        </section>
        <section className={`${parts.column3} ${styles.step}`}>
          <h3>{connectNetworkWords.key}</h3>
          <MakeKey secrets={secrets} onMade={setSecrets} />
        </section>
        <section className={`${parts.column3} ${styles.step}`}>
          <h3>{connectNetworkWords.last}</h3>
          <p className={parts.quiet}>{connectNetworkWords.lastLead}</p>
        </section>
      </div>
    </Dialog>
  );
}

function Addresses({ network }: { network: TurboNetwork }) {
  const { websocket, tcp } = network;
  const obstacle = obstacleOf(network);
  return (
    <>
      {obstacle !== undefined && (
        <p className={styles.note}>
          {obstacle} <Link href="/settings">{connectNetworkWords.settings}</Link>
        </p>
      )}
      {websocket.map((address) => (
        <CopyLine key={address} label={connectNetworkWords.websocket} value={address} />
      ))}
      {tcp.map((address) => (
        <CopyLine key={address} label={connectNetworkWords.tcp} value={address} />
      ))}
    </>
  );
}

/** Explains why a turbo on another machine could not connect. Returns undefined if it could. */
function obstacleOf({ listens, encrypted, plain_passwords }: TurboNetwork): string | undefined {
  if (listens === 'this_machine') return connectNetworkWords.thisMachine;
  return encrypted || plain_passwords ? undefined : connectNetworkWords.plain;
}

/** Creates a key for turbos only and shows the key once. */
function MakeKey({ secrets, onMade }: { secrets: ApiUserSecrets | undefined; onMade(secrets: ApiUserSecrets): void }) {
  const { api } = useStationContext();
  const [name, setName] = useState('');
  const [isNameless, setNameless] = useState(false);
  const making = useAct(async () => onMade(await api.addApiUser({ body: { name: name.trim(), scope: 'turbo' } })));
  const { busy } = making;
  const problem = isNameless ? connectNetworkWords.noName : making.status === 'failed' ? making.failure : undefined;
  useLeaveGuard(secrets !== undefined);

  function make(): void {
    if (busy) return;
    if (name.trim() === '') setNameless(true);
    else making.run();
  }

  if (secrets !== undefined) {
    return (
      <>
        <CopyLine label={connectNetworkWords.username} value={secrets.name} />
        <CopyLine label={connectNetworkWords.apiKey} help={connectNetworkWords.apiKeyHelp} value={secrets.api_key} />
      </>
    );
  }
  return (
    <>
      <p className={parts.quiet}>{connectNetworkWords.keyLead}</p>
      <ProblemForm problems={{ name: problem }} onSubmit={make} aria-label={connectNetworkWords.make}>
        <div className={styles.make}>
          <LineField
            name="name"
            label={connectNetworkWords.name}
            autoComplete="off"
            value={name}
            onChange={(next) => {
              setName(next);
              setNameless(false);
              making.clear();
            }}
          />
          <Button
            words={busy ? connectNetworkWords.making : connectNetworkWords.make}
            type="submit"
            look="primary"
            busy={busy}
          />
        </div>
      </ProblemForm>
    </>
  );
}
