import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { CommandEntry } from '#shared/api/device.ts';
import type { MqttStatus } from '#shared/api/mqtt.ts';
import type { CanvasBoxes } from '../../renderer/src/shop/screen/canvasBoxes.ts';
import type { Api } from '../../renderer/src/station/api.ts';
import { StationProvider, type StationContext } from '../../renderer/src/station/context.ts';
import { sendAnyway, sendDeed } from '../../renderer/src/station/outbox/sendDeed.ts';
import { startOutbox } from '../../renderer/src/station/outbox/startOutbox.ts';
import { createQueries } from '../../renderer/src/station/queries.ts';
import { createStationStore, type StationState } from '../../renderer/src/station/store.ts';
import { FrameProviders } from '../../renderer/src/app/frame/FrameProviders.tsx';
import { browserStorage } from '../../renderer/src/storage.ts';
import { ToastRegion } from '../../renderer/src/app/frame/ToastRegion.tsx';
import { AT, command as waiting, device, station } from '../helpers/snapshots.ts';

export { device, station };

/** A command that is lit. */
export function command(id: string, given: Partial<CommandEntry> = {}): CommandEntry {
  const lit = { command: 'flash', line1: 'Cable tie', quantity: 5, color: 'green', state: 'shown' } as const;
  return waiting(id, { ...lit, sent_at: AT, shown_at: AT, ...given });
}

/** The MQTT status without a broker. */
export const NO_BROKER: MqttStatus = {
  state: 'off',
  problem: null,
  since: AT,
  station: 'shop-1',
  protocol: null,
  waiting: 0,
  log: [],
};

const missing = () => Promise.reject(new Error('this test did not expect this call'));

/** Draws at once. */
export const drawAtOnce: CanvasBoxes['draw'] = (run) => {
  run();
  return () => undefined;
};

/** What the window works with: a real store, no network, and canvases that are never near the viewport. */
export function testContext(state: Partial<StationState> = {}, calls: Partial<Api> = {}): StationContext {
  const store = createStationStore(state);
  const boxes: CanvasBoxes = { watch: () => () => undefined, draw: drawAtOnce };
  const api: Api = {
    signIn: missing,
    signOut: missing,
    signInWithPin: missing,
    loadKiosks: missing,
    addKiosk: missing,
    removeKiosk: missing,
    loadScreens: missing,
    addScreen: missing,
    removeScreen: missing,
    loadKioskScreen: missing,
    setOwnPin: missing,
    loadArticles: missing,
    loadArticle: missing,
    addArticle: missing,
    changeArticle: missing,
    removeArticle: missing,
    setArticlePicture: missing,
    removeArticlePicture: missing,
    loadCarriers: missing,
    addCarrier: missing,
    replaceCarrier: missing,
    removeCarrier: missing,
    loadBatches: missing,
    loadStock: missing,
    move: missing,
    loadMovements: missing,
    loadLatestMovements: missing,
    showStock: missing,
    sayWhatIsLeft: missing,
    loadTasks: missing,
    finishTask: missing,
    dismissTask: missing,
    loadFleet: missing,
    findInFleet: missing,
    sendFleetOrder: missing,
    loadWork: missing,
    loadNextOrder: missing,
    loadPickers: missing,
    loadShortReasons: missing,
    loadShortNumbers: missing,
    loadHistoryReport: () => new Promise(() => undefined),
    setOwnColor: missing,
    scan: missing,
    joinOrder: missing,
    leaveOrder: missing,
    pauseOrder: missing,
    handOverOrder: missing,
    closeShort: missing,
    lightItem: missing,
    reopen: missing,
    confirmItem: missing,
    verifyItem: missing,
    setCurrent: () => Promise.resolve(),
    loadStation: missing,
    send: missing,
    sendMany: missing,
    press: missing,
    takeAway: missing,
    acknowledge: missing,
    adjust: missing,
    fillScreen: missing,
    identify: missing,
    removeDevice: missing,
    loadHistory: missing,
    loadHistorySummary: missing,
    loadTimeline: missing,
    loadOrderTimeline: missing,
    loadDeliveryTimeline: missing,
    loadEndedAlerts: missing,
    acknowledgeAlert: missing,
    acknowledgeAlerts: missing,
    endAlert: missing,
    allowRefusedCaller: missing,
    neverAllowRefusedCaller: missing,
    loadSimulatedDevice: missing,
    changeSimulatedDevice: missing,
    addSimulatedDevices: missing,
    addAlias: missing,
    changeAlias: missing,
    removeAlias: missing,
    replaceDevice: missing,
    loadDemoShop: missing,
    removeDemoShop: missing,
    loadFirstDay: () => Promise.resolve({ dismissed: true, demo: false, steps: [] }),
    dismissFirstDay: missing,
    loadSettings: missing,
    changeSettings: missing,
    testCallback: missing,
    loadCallbackReceivers: () => Promise.resolve([]),
    addCallbackReceiver: missing,
    changeCallbackReceiver: missing,
    removeCallbackReceiver: missing,
    changePassword: missing,
    loadVersion: missing,
    loadMap: missing,
    replaceMap: missing,
    addRack: missing,
    changeRack: missing,
    removeRack: missing,
    addZone: missing,
    changeZone: missing,
    removeZone: missing,
    placeDevice: missing,
    unplaceDevice: missing,
    arrangeMap: missing,
    registerDevice: missing,
    setUp: missing,
    setUpDemo: missing,
    loadUsers: missing,
    addUser: missing,
    changeUser: missing,
    removeUser: missing,
    loadApiUsers: missing,
    addApiUser: missing,
    rotateApiUser: missing,
    removeApiUser: missing,
    loadAudit: missing,
    loadWaiting: missing,
    loadRefused: missing,
    refuseDevice: missing,
    readmitDevice: missing,
    loadBackups: missing,
    loadBackupStatus: missing,
    makeBackup: missing,
    cancelBackup: missing,
    uploadBackup: missing,
    loadBackupContents: missing,
    restoreBackup: missing,
    setBackupPassphrase: missing,
    openSecrets: missing,
    loadUpdates: missing,
    checkForUpdate: missing,
    installUpdate: missing,
    removeBackup: missing,
    reportPageError: missing,
    loadDiagnostics: missing,
    loadDeliveries: missing,
    loadDelivery: missing,
    countDeliveries: missing,
    replayDelivery: missing,
    replayDead: missing,
    sendWaiting: missing,
    loadMail: missing,
    loadFolders: missing,
    testMail: missing,
    loadMqtt: missing,
    testMqtt: missing,
    loadReceived: missing,
    forgetReceived: missing,
    loadRequests: missing,
    loadRequest: missing,
    loadTurbos: missing,
    loadTurboTraffic: missing,
    loadTurboFrames: missing,
    renameTurbo: missing,
    forgetTurbo: missing,
    switchSimulatedTurbo: missing,
    loadSerialPorts: missing,
    findControllers: missing,
    addTurboLink: missing,
    removeTurboLink: missing,
    loadBoards: () => Promise.resolve([]),
    installBoard: missing,
    loadBoardUpdates: () => Promise.resolve([]),
    updateBoards: missing,
    loadBoardJobs: () => Promise.resolve([]),
    loadBoardJob: missing,
    cancelBoardJob: missing,
    changeTurboLink: missing,
    retryTurboLink: missing,
    loadTurboNetwork: missing,
    find: missing,
    locate: missing,
    lightLocated: missing,
    loadOrders: missing,
    loadOrdersIn: missing,
    loadOrder: missing,
    addOrder: missing,
    changeOrder: missing,
    removeEndedOrders: missing,
    removeOrder: missing,
    correctImportRow: missing,
    runImport: missing,
    loadDrafts: missing,
    loadDraft: missing,
    correctDraft: missing,
    createFromDraft: missing,
    discardDraft: missing,
    forgetImportColumns: missing,
    loadLastArticleImport: async () => null,
    loadLastOrderImport: missing,
    previewImport: missing,
    loadImport: missing,
    undoImport: missing,
    launchOrder: missing,
    abortOrder: missing,
    correctItem: missing,
    loadSequences: missing,
    loadSequence: missing,
    addSequence: missing,
    replaceSequence: missing,
    removeSequence: missing,
    launchSequence: missing,
    ...calls,
  };
  return {
    store,
    api,
    session: {
      signIn: api.signIn,
      signInWithPin: api.signInWithPin,
      signOut: api.signOut,
      lookAtKiosk: async () => store.setState({ kiosk: await api.loadKioskScreen() }),
      lock: async (name) => void (await api.addKiosk(name)),
      follow: () => undefined,
    },
    ticker: { subscribe: () => () => undefined },
    boxes,
    queries: createQueries(store),
    outbox: startOutbox({
      store,
      storage: browserStorage(),
      now: Date.now,
      setTimer: () => () => undefined,
      send: (_person, deed) => sendDeed(api, deed),
      sendAnyway: (deed) => sendAnyway(api, deed),
    }),
  };
}

/** Renders a part of the window; it is unmounted after the test. */
export function show(context: StationContext, part: ReactNode) {
  return render(
    <StationProvider value={context}>
      <FrameProviders>
        {part}
        <ToastRegion />
      </FrameProviders>
    </StationProvider>,
  );
}
