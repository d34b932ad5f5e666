export { type LocationImports, createLocationImport } from './locationImport.ts';
export { type MapService, createMap } from './map.ts';
