import { parseSync, type ESTree } from 'vite';

/** Change that breaks a source by replacing the characters from `start` to `end` (UTF-16 offsets). */
export type Mutation = { kind: string; start: number; end: number; replacement: string };

type Node = ESTree.Node;
type Rule = (node: Node, source: string) => Omit<Mutation, 'kind'>[];

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
};

/** Rules by which a node of the syntax tree is broken, by kind of mutation. */
const RULES: Readonly<Record<string, Rule>> = {
  'swap an operator': (node, source) => {
    const isOperation =
      node.type === 'BinaryExpression' || node.type === 'LogicalExpression' || node.type === 'AssignmentExpression';
    if (!isOperation || (node.operator === '+' && joinsText(node))) return [];
    const start = source.indexOf(node.operator, node.left.end);
    return (OPERATORS[node.operator] ?? []).map((replacement) => ({
      start,
      end: start + node.operator.length,
      replacement,
    }));
  },
  'decide a condition': (node) =>
    node.type === 'IfStatement' || node.type === 'ConditionalExpression'
      ? ['true', 'false'].map((replacement) => ({ start: node.test.start, end: node.test.end, replacement }))
      : [],
  'shift a number': (node) =>
    node.type === 'Literal' && typeof node.value === 'number'
      ? [{ start: node.start, end: node.end, replacement: String(node.value + 1) }]
      : [],
  'flip a boolean': (node) =>
    node.type === 'Literal' && typeof node.value === 'boolean'
      ? [{ start: node.start, end: node.end, replacement: String(!node.value) }]
      : [],
  'remove a negation': (node) =>
    node.type === 'UnaryExpression' && node.operator === '!'
      ? [{ start: node.start, end: node.argument.start, replacement: '' }]
      : [],
  'omit a call': (node) =>
    node.type === 'ExpressionStatement' && isCall(node.expression)
      ? [{ start: node.start, end: node.end, replacement: ';' }]
      : [],
  'omit an assignment': (node) =>
    node.type === 'ExpressionStatement' && node.expression.type === 'AssignmentExpression'
      ? [{ start: node.start, end: node.end, replacement: ';' }]
      : [],
  'return nothing': (node) =>
    node.type === 'ReturnStatement' && node.argument !== null
      ? [{ start: node.argument.start, end: node.argument.end, replacement: 'undefined' }]
      : [],
};

/** Types of nodes that exist only for types, and imports. Breaking them changes nothing at run time. */
const SKIPPED = /^(TS(?!NonNull|As|Satisfies)|Import|ExportAll)/;

/** Returns all mutations of a TypeScript source, in text order. Throws if the source does not parse. */
export function mutationsOf(file: string, source: string): Mutation[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  const found: Mutation[] = [];
  walk(program, (node) => {
    for (const [kind, rule] of Object.entries(RULES))
      for (const change of rule(node, source))
        if (source.slice(change.start, change.end) !== change.replacement) found.push({ kind, ...change });
  });
  return found.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** Returns the source with one mutation applied. */
export function mutated(source: string, { start, end, replacement }: Mutation): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const each of value) walk(each, visit);
    return;
  }
  if (!isNode(value) || SKIPPED.test(value.type)) return;
  visit(value);
  for (const child of Object.values(value)) if (typeof child === 'object') walk(child, visit);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function isCall(node: Node): boolean {
  return node.type === 'CallExpression' || (node.type === 'AwaitExpression' && isCall(node.argument));
}

function joinsText(node: { left: Node; right: Node }): boolean {
  return [node.left, node.right].some(
    (side) => side.type === 'TemplateLiteral' || (side.type === 'Literal' && typeof side.value === 'string'),
  );
}
