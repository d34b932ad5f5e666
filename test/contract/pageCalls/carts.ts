import { type PageCalls } from './pageCall.ts';

const CART = { name: 'Cart 1', rows: 2, columns: 3 };
const SEEN = { ...CART, id: 3, code: null, slots: [] };

/** Calls about carts, walls and their batches. */
export const CART_CALLS = {
  loadCarriers: [
    { given: ['cart'], sent: 'GET /api/carts/' },
    { given: ['wall'], sent: 'GET /api/walls/' },
  ],
  loadCarrier: [
    { given: ['cart', 3], sent: 'GET /api/carts/3/' },
    { given: ['wall', 3], sent: 'GET /api/walls/3/' },
  ],
  addCarrier: [
    { given: ['cart', CART], sent: 'POST /api/carts/', body: CART },
    { given: ['wall', CART], sent: 'POST /api/walls/', body: CART },
  ],
  replaceCarrier: (['cart', 'wall'] as const).map((kind) => ({
    given: [{ kind, seen: SEEN, carrier: CART }],
    answer: JSON.stringify(SEEN),
    reads: `GET /api/${kind}s/3/`,
    sent: `PUT /api/${kind}s/3/`,
    body: CART,
  })),
  removeCarrier: (['cart', 'wall'] as const).map((kind) => ({
    given: [kind, SEEN],
    answer: JSON.stringify(SEEN),
    reads: `GET /api/${kind}s/3/`,
    sent: `DELETE /api/${kind}s/3/`,
  })),
} satisfies Partial<PageCalls>;
