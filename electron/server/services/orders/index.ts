export { type OrderImports, createOrderImport } from './import.ts';
export { type Orders, createOrders } from './orders.ts';
