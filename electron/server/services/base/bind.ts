/** `F` as a function that first receives its context. */
export type In<C, F extends (...args: never[]) => unknown> = (context: C, ...args: Parameters<F>) => ReturnType<F>;

type Bound<C, T> = {
  [K in keyof T]: T[K] extends (context: C, ...args: infer A) => infer R ? (...args: A) => R : never;
};

/** The functions of one noun, each bound to their context: calls pass through no wrapper. */
export function bind<C, T extends Record<string, (context: C, ...args: never[]) => unknown>>(
  context: C,
  functions: T,
): Bound<C, T> {
  const bound = Object.entries(functions).map(([name, run]) => [name, run.bind(undefined, context)]);
  // Object.fromEntries loses the names.
  return Object.fromEntries(bound) as Bound<C, T>;
}
