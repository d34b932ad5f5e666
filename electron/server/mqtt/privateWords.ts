import type { Fact } from '#shared/api/station.ts';

/** Fields of an order that are never published (section 8 of the contract). */
const NAMES = ['customer', 'note', 'ordered_at', 'paid', 'address'] as const;
const PRIVATE: ReadonlySet<string> = new Set(NAMES);
type Private = (typeof NAMES)[number];

/** Returns the order without its private fields. */
export function publicOrder<T extends object>(order: T): Omit<T, Private> {
  const isPrivate = [...PRIVATE].some((name) => Object.hasOwn(order, name));
  if (!isPrivate) return order;
  return Object.fromEntries(Object.entries(order).filter(([name]) => !PRIVATE.has(name))) as Omit<T, Private>;
}

/** Returns the facts of a commit as JSON, without private fields. `text` is the JSON with all fields. */
export function publicFacts(facts: readonly Fact[], text: string): string {
  if (!facts.some((fact) => fact.type === 'order.changed' && publicOrder(fact.order) !== fact.order)) return text;
  return JSON.stringify(
    facts.map((fact) => (fact.type === 'order.changed' ? { ...fact, order: publicOrder(fact.order) } : fact)),
  );
}
