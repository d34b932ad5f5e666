import { operations, type Described, type OpenApi } from './documents.ts';

/**
 * Operations in an order in which all examples work on a station with two simulated devices: earlier examples create what later ones need,
 * and removals come last.
 */
const SCENARIO = `
getHealth getOpenApi getDevicesOpenApi getDevicesOpenApiBelowApi getLocationAliasesOpenApi
getLocationAliasesOpenApiBelowApi getSequencesOpenApi getSequencesOpenApiBelowApi getOrdersOpenApi getOrdersOpenApiBelowApi

addSimulatedDevices getSimulatedDevice changeSimulatedDevice changeSimulatedTurbo changeSettings getSettings setLogo getLogo removeLogo

listDevices registerDevice listWaitingDevices refuseDevice listRefusedDevices readmitDevice sendToDeviceByPut sendToDevice
getDevice getDeviceScreen preview adjustCommand acknowledgeCommand identifyDevice sendToDevices sendToDevicesByPut
removeCommand sendByAddressCommand sendByAddressTexts sendByAddressMoreTexts sendByAddressTune sendByAddressSecondsColor
sendByAddressNonce pressSimulatedDevice listSounds getSound

listTurbos listSerialPorts findControllers addTurboLink listTurboLinks changeTurboLink listBoards installBoard listBoardJobs getBoardJob cancelBoardJob listBoardUpdates updateBoards retryTurboLink removeTurboLink listTurboTraffic getTurboNetwork
getTurbo renameTurbo listTurboFrames exportTurboFrames forgetTurbo

addLocationAlias listLocationAliases importLocationAliases getLastLocationAliasImport exportLocationAliases
undoLocationAliasImport getLocationAlias changeLocationAlias

addUser
addSequence listSequences launchSequence listSequenceProgress getSequence replaceSequence removeSequence
addOrder replaceOrder addItem removeItem listOrders listOrderProgress launchOrder joinOrder pauseOrder leaveOrder
handOverOrder listWork setCurrentLine getNextOrder listPickers listShortReasons getShortNumbers setOwnColor scan confirmItem dismissItem closeItemShort verifyItem listPickerFigures reopenItem lightItem changeOrder correctItem getItem getOrder abortOrder removeOrder
createImport correctImportRow runImport listImports getImport listImportDrafts getImportDraft correctImportDraft createOrderFromDraft discardImportDraft undoImport redoImport importOrders listImportColumns forgetImportColumns getLastOrderImport undoOrderImport exportOrders
addArticle replaceArticles changeArticles listArticles getArticle changeArticle replaceArticle changeStock listStock listMovements exportArticles setArticlePicture getArticlePicture removeArticlePicture sayWhatIsLeft listTasks finishTask dismissTask removeArticle
addCart listCarts getCart replaceCart addWall listWalls getWall replaceWall addBatch listBatches getBatch addToBatch launchBatch actInBatch reassignShares settleHand putIntoSlot undoPut closeBatchItemsShort markSlotFull moveSlot joinBatch pauseBatch leaveBatch handOverBatch freeSlot undoFreeSlot removeFromBatch removeOrderFromBatch freeBatch abortBatch removeBatch removeCart removeWall

replaceMap addRack getRack changeRack addZone getZone changeZone placeDevice arrangeDevices getMap

getStation streamEvents find listHistory summarizeHistory exportHistory getHistoryReport exportHistoryReport getTimeline getOrderTimeline getBatchTimeline getDeliveryTimeline
getMail testMail getMqtt testMqtt addCallbackReceiver listCallbackReceivers getCallbackReceiver changeCallbackReceiver removeCallbackReceiver listCallbacks countCallbacks listReceivedCallbacks forgetReceivedCallbacks getCallback replayCallback replayDeadCallbacks sendWaitingCallbacks
testCallback
makeBackup listBackups getBackupStatus cancelBackup downloadBackup getBackupContents uploadBackup reportPageError getDiagnostics
getUpdates checkForUpdate installUpdate

listUsers changeUser addKiosk getKioskScreen signInWithPin listKiosks removeKiosk addScreen listScreens openScreen getWallBoard removeScreen removeUser addApiUser listApiUsers issueToken rotateApiUser removeApiUser
listAudit listRequests getRequest signIn changePassword signOut finishSetup getFirstDay changeFirstDay makeDemoShop getDemoShop removeDemoShop

listAlerts acknowledgeAlerts acknowledgeAlert endAlert allowRefusedCaller neverAllowRefusedCaller
replaceDevice removeLocationAlias unplaceDevice removeZone removeRack removeDevice removeBackup restoreBackup
`
  .trim()
  .split(/\s+/);

/** The operation before which unlisted operations are inserted, because they work at any position. */
const UNLISTED_BEFORE = 'listAlerts';

/**
 * Returns every operation in the order of the scenario. Throws if the scenario names an operation that does not exist.
 */
export function inScenarioOrder(document: OpenApi): Described[] {
  const all = operations(document);
  const byName = new Map(all.map((each) => [each.operation.operationId, each]));
  const unlisted = all.filter(({ operation }) => !SCENARIO.includes(operation.operationId));
  return SCENARIO.flatMap((name) => {
    const found = byName.get(name);
    if (found === undefined) throw new Error(`The document has no operation ${name}.`);
    return name === UNLISTED_BEFORE ? [...unlisted, found] : [found];
  });
}
