import { VERSION } from '#shared/api/version.ts';
import type { OpenCore } from './core.ts';
import type { EndpointServices } from './entrances.ts';
import { createPageErrors } from './services/pageErrors.ts';
import { createWallBoard } from './services/wallBoard.ts';
import type {
  createBoardGroup,
  createCare,
  createHardware,
  createKeeping,
  createOutside,
  createSupport,
  createWhole,
  createWork,
} from './stationServices.ts';

/** All services of a station, grouped by the step that creates them. */
export type StationParts = {
  opened: OpenCore;
  backups: ReturnType<typeof createKeeping>['backups'];
  outside: ReturnType<typeof createOutside>;
  hardware: ReturnType<typeof createHardware>;
  work: ReturnType<typeof createWork>;
  care: ReturnType<typeof createCare>;
  boards: ReturnType<typeof createBoardGroup>;
  whole: ReturnType<typeof createWhole>;
  diagnostics: ReturnType<typeof createSupport>;
};

/** Returns the services that endpoints need, by name. `restart` restarts the station. */
export function endpointServices(parts: StationParts, restart: () => void): EndpointServices {
  const { opened, backups, outside, hardware, work, care, boards, whole, diagnostics } = parts;
  return {
    backups,
    diagnostics,
    folderStatus: work.folderGroup.folderStatus,
    pageErrors: createPageErrors(opened.core),
    wallBoard: createWallBoard(opened.core, { version: VERSION }),
    restart,
    version: VERSION,

    audit: opened.core.audit,
    settings: opened.core.settings,

    access: outside.access.access,
    apiUsers: outside.access.apiUsers,
    clients: outside.access.clients,
    kiosks: outside.access.kiosks,
    screens: outside.access.screens,
    people: outside.access.people,
    pins: outside.access.pins,

    broker: outside.callbacks.broker,
    brokerQueue: outside.callbacks.brokerQueue,
    deliveries: outside.callbacks.deliveries,
    furtherReceivers: outside.callbacks.furtherReceivers,
    queues: outside.callbacks.queues,
    testCallbacks: outside.callbacks.testCallbacks,
    testReceiver: outside.callbacks.testReceiver,

    mail: outside.mail.mail,
    testMails: outside.mail.testMails,

    stationAlerts: outside.alertBook.stationAlerts,

    articles: hardware.goods.articles,
    pictures: hardware.goods.pictures,
    carriers: hardware.carriers,
    stock: hardware.goods.stock,

    devices: hardware.devices.devices,
    telemetry: hardware.devices.telemetry,

    operatorActions: hardware.commands.operatorActions,
    previews: hardware.commands.previews,
    requests: hardware.commands.requests,

    aliases: work.aliases,
    batches: work.batches,
    folderCheck: work.folderCheck,
    imports: work.imports,
    lists: work.lists,
    logo: work.logo,
    map: work.map,
    places: work.places,
    orders: work.orders,
    picking: work.picking,
    screenTemplates: work.screenTemplates,
    sequences: work.sequences,
    left: work.left,
    tasks: work.tasks,

    alerts: care.alerts,
    controllerSearch: care.controllerSearch,
    refusedCallers: care.refusedCallers,
    secrets: care.secrets,
    simulation: care.simulation,
    turboCare: care.turboCare,
    turboLinks: care.turboLinks,

    boardJobs: boards.boardJobs,
    boardUpdates: boards.boardUpdates,
    boards: boards.boards,

    find: whole.find,
    locate: whole.locate,
    overview: whole.overview,
    registry: whole.registry,
    replacement: whole.replacement,
    rights: whole.rights,
    setup: whole.setup,
    demoShop: whole.demoShop,
    firstDay: whole.firstDay,
    updates: whole.updates,

    history: whole.history.history,
    pickerFigures: whole.history.pickerFigures,
    report: whole.history.report,
    reportTable: whole.history.reportTable,
    writeWorkbook: whole.history.writeWorkbook,
    search: whole.history.search,
    workTimelines: whole.history.workTimelines,
  };
}
