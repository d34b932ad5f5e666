import type { Tryton } from './trytonServer.ts';

export type ErpLine = { article: string; quantity: number };
export type ErpShipment = { id: number; number: string };
export type BookedMove = { article: string; quantity: number; state: string };

/** The articles, each with its bin and the quantity there. */
const ARTICLES = [
  { code: 'CT-200', bin: 'A-1-1', unit: 'Unit', quantity: 500 },
  { code: 'CT-300', bin: 'A-1-2', unit: 'Unit', quantity: 500 },
  { code: 'M8-20', bin: 'A-2-1', unit: 'Unit', quantity: 500 },
  { code: 'CABLE', bin: 'A-2-2', unit: 'Meter', quantity: 500 },
] as const;

/** Creates a company with four articles in four bins, and returns functions for its shipments. */
export async function createStock(tryton: Tryton) {
  const create = async (model: string, values: unknown): Promise<number> => {
    const [id] = await tryton.call<number[]>(`model.${model}.create`, [values]);
    if (id === undefined) throw new Error(`No ${model} was created.`);
    return id;
  };
  const find = async (model: string, domain: unknown): Promise<number> => {
    const [id] = await tryton.call<number[]>(`model.${model}.search`, domain, 0, 1, null);
    if (id === undefined) throw new Error(`There is no ${model} ${JSON.stringify(domain)}.`);
    return id;
  };

  const currency = await create('currency.currency', { name: 'Euro', code: 'EUR', symbol: '€' });
  const party = await create('party.party', { name: 'Shop' });
  const company = await create('company.company', { party, currency });
  const user = await find('res.user', [['login', '=', 'admin']]);
  const groups = await tryton.call<number[]>('model.res.group.search', [], 0, null, null);
  await tryton.call('model.res.user.write', [user], {
    companies: [['add', [company]]],
    company,
    groups: [['add', groups]],
  });
  // New sessions are needed, because a session's context names the company.
  tryton.expireSessions();

  const customer = await create('party.party', {
    name: 'Riverside Bikes',
    addresses: [['create', [{ city: 'Riverside' }]]],
  });
  const address = await find('party.address', [['party', '=', customer]]);
  const warehouse = await find('stock.location', [['type', '=', 'warehouse']]);
  const [zones] = await tryton.call<{ storage_location: number; output_location: number }[]>(
    'model.stock.location.read',
    [warehouse],
    ['storage_location', 'output_location'],
  );
  if (zones === undefined) throw new Error('The warehouse has no zones.');
  const customers = await find('stock.location', [['type', '=', 'customer']]);
  const lost = await find('stock.location', [['type', '=', 'lost_found']]);

  const products = new Map<string, { product: number; uom: number }>();
  for (const { code, bin, unit, quantity } of ARTICLES) {
    const uom = await find('product.uom', [['name', '=', unit]]);
    const template = await create('product.template', {
      name: `Article ${code}`,
      type: 'goods',
      default_uom: uom,
      list_price: decimal('1'),
    });
    const product = await create('product.product', { template, suffix_code: code });
    products.set(code, { product, uom });
    const to = await create('stock.location', {
      name: `Bin ${bin}`,
      code: bin,
      type: 'storage',
      parent: zones.storage_location,
    });
    const move = { product, uom, quantity, from_location: lost, to_location: to, company };
    await tryton.call('model.stock.move.do', [await create('stock.move', move)]);
  }

  const assign = async (id: number): Promise<void> => {
    if (!(await tryton.call<boolean>('model.stock.shipment.out.assign_try', [id]))) throw new Error('Not assigned.');
  };
  return {
    assign,
    /** Creates a shipment and assigns it, so that it can be picked. */
    async ship(lines: readonly ErpLine[]): Promise<ErpShipment> {
      const moves = lines.map(({ article, quantity }) => {
        const { product, uom } = products.get(article) ?? {};
        const places = { from_location: zones.output_location, to_location: customers };
        return { product, uom, quantity, ...places, company, unit_price: decimal('1'), currency };
      });
      const id = await create('stock.shipment.out', {
        company,
        warehouse,
        customer,
        delivery_address: address,
        outgoing_moves: [['create', moves]],
      });
      await tryton.call('model.stock.shipment.out.wait', [id]);
      await assign(id);
      const [shipment] = await tryton.call<ErpShipment[]>('model.stock.shipment.out.read', [id], ['number']);
      return { id, number: shipment?.number ?? '' };
    },
    async states(ids: readonly number[]): Promise<string[]> {
      const rows = await tryton.call<{ state: string }[]>('model.stock.shipment.out.read', ids, ['state']);
      return rows.map(({ state }) => state);
    },
    /** Returns the moves of goods from the bins, and of those to the customer. */
    async moves(id: number): Promise<{ taken: BookedMove[]; sent: BookedMove[] }> {
      const names = ['inventory_moves', 'outgoing_moves'];
      const [shipment] = await tryton.call<Record<string, number[]>[]>('model.stock.shipment.out.read', [id], names);
      const read = async (ids: number[] = []): Promise<BookedMove[]> => {
        type Row = { quantity: number; state: string; 'product.': { code: string } };
        const rows = await tryton.call<Row[]>('model.stock.move.read', ids, ['quantity', 'state', 'product.code']);
        const booked = rows.map(({ quantity, state, 'product.': { code } }) => ({ article: code, quantity, state }));
        return booked.toSorted((a, b) => a.article.localeCompare(b.article));
      };
      return { taken: await read(shipment?.['inventory_moves']), sent: await read(shipment?.['outgoing_moves']) };
    },
    async notes(id: number): Promise<string[]> {
      const domain = [['resource', '=', `stock.shipment.out,${id}`]];
      const rows = await tryton.call<{ message: string }[]>('model.ir.note.search_read', domain, 0, null, null, [
        'message',
      ]);
      return rows.map(({ message }) => message);
    },
    /** Returns the quantity in all bins, by article. */
    async levels(): Promise<Record<string, number>> {
      const ids = [...products.values()].map(({ product }) => product);
      const today = new Date();
      const date = { __class__: 'date', year: today.getUTCFullYear() + 1, month: 1, day: 1 };
      const where = { locations: [zones.storage_location], with_childs: true, stock_date_end: date };
      const read = 'model.product.product.read';
      const rows = await tryton.callIn<{ code: string; quantity: number }[]>(where, read, ids, ['code', 'quantity']);
      return Object.fromEntries(rows.map(({ code, quantity }) => [code, quantity]));
    },
  };
}

export type Stock = Awaited<ReturnType<typeof createStock>>;

const decimal = (value: string) => ({ __class__: 'Decimal', decimal: value });
