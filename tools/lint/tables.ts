import type { Context } from './imports.ts';

type Node = {
  type: string;
  kind?: string;
  properties?: readonly { type: string }[];
  typeAnnotation?: Node;
  typeName?: { name?: string };
  typeArguments?: { params: readonly Node[] };
  id?: Node;
  init?: Node | null;
};
type Declaration = Node & { declarations: readonly Node[] };

const MESSAGE =
  'An object used as a table also contains inherited names, such as `constructor`. Use a Map: new Map(Object.entries<Value>({ … })).';
/** Types that do not change the keys of a record. */
const WRAPPERS = new Set(['Readonly', 'Partial']);

/**
 * Lint rule that refuses constant object literals with arbitrary texts as keys, because a key from outside would find inherited names. Read
 * records from outside with `valueAt`.
 */
export const tables = {
  create: (context: Context) => ({
    VariableDeclaration({ kind, declarations }: Declaration) {
      for (const { id, init } of declarations) {
        if (kind !== 'const' || !isTable(id?.typeAnnotation?.typeAnnotation) || !isFilled(init)) continue;
        context.report({ node: init, message: MESSAGE });
      }
    },
  }),
};

function isTable(type: Node | undefined): boolean {
  const [first] = type?.typeArguments?.params ?? [];
  const name = type?.typeName?.name ?? '';
  return WRAPPERS.has(name) ? isTable(first) : name === 'Record' && first?.type === 'TSStringKeyword';
}

function isFilled(value: Node | null | undefined): boolean {
  return value?.type === 'ObjectExpression' && value.properties?.some(({ type }) => type === 'Property') === true;
}
