import { isNode, type Node, type Visit } from '../../architecture/module.ts';
import type { Mutation } from './mutation.ts';
import { withoutOneAlternative } from './regex-alternatives.ts';

/** A mutation as an operator proposes it. The caller adds the other fields. */
type Proposal = Omit<Mutation, 'file' | 'line' | 'operator'>;

/** Proposes mutations of one node. Returns none if the operator doesn't apply. */
type Operator = (visit: Visit, text: string) => readonly Proposal[];

/** What an operator is replaced by: its neighbor at the boundary (`<` and `<=`), or its opposite. */
const OPPOSITE: ReadonlyMap<unknown, string> = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['===', '!=='],
  ['!==', '==='],
  ['+', '-'],
  ['-', '+'],
]);

/** Calls whose receiver is of the same type as their result. */
const LINKS =
  /^(filter|sort|toSorted|reverse|toReversed|trim|trimStart|trimEnd|toLowerCase|toUpperCase|normalize|slice|replace|replaceAll)$/;

const CONDITIONS = /^(If|While|DoWhile|For)Statement$/;

/** Strings with a space are messages, except in lists and comparisons. */
const HOLDS_WORDS = /^(ArrayExpression|BinaryExpression|SwitchCase)$/;

/** All operators, by the name that the report prints. */
export const OPERATORS: Readonly<Record<string, Operator>> = {
  'negate condition': ({ node, field, above }, text) =>
    field === 'test' && CONDITIONS.test(above?.node.type ?? '') ? [instead(node, `!(${slice(node, text)})`)] : [],
  'swap && and ||': ({ node }, text) =>
    node.type === 'LogicalExpression' && node.operator !== '??'
      ? [instead(node, joinedBy(node, node.operator === '&&' ? '||' : '&&', text))]
      : [],
  'other operator': ({ node, field, above }, text) => {
    const other = OPPOSITE.get(node.operator);
    const negated = field === 'test' && CONDITIONS.test(above?.node.type ?? '') && /^[!=]/.test(other ?? '');
    return node.type === 'BinaryExpression' && other && !negated ? [instead(node, joinedBy(node, other, text))] : [];
  },
  'swap branches': ({ node }, text) =>
    node.type === 'ConditionalExpression'
      ? [
          instead(
            node,
            `${part(node, 'test', text)} ? ${part(node, 'alternate', text)} : ${part(node, 'consequent', text)}`,
          ),
        ]
      : [],
  'return at once': ({ node, above }) =>
    node.type === 'BlockStatement' && isFunction(above?.node) && Array.isArray(node.body) && node.body.length > 1
      ? [{ ...instead(node, ''), place: 'entry', end: Number(node.start) + 1, start: Number(node.start) + 1 }]
      : [],
  'return undefined': ({ node, field, above }, text) =>
    slice(node, text) !== 'undefined' &&
    ((field === 'argument' && above?.node.type === 'ReturnStatement') ||
      (field === 'body' && above?.node.type === 'ArrowFunctionExpression' && node.type !== 'BlockStatement'))
      ? [instead(node, 'undefined')]
      : [],
  'drop call': ({ node, above }) =>
    above?.node.type === 'ExpressionStatement' && isCall(node) ? [instead(node, 'undefined')] : [],
  'empty literal': (visit) => (emptyOf(visit) === undefined ? [] : [instead(visit.node, emptyOf(visit) ?? '')]),
  'number + 1': ({ node, field }, text) =>
    node.type === 'Literal' && typeof node.value === 'number' && field !== 'key'
      ? [instead(node, `${slice(node, text)} + 1`)]
      : [],
  'drop element': ({ node, field, above }) =>
    field === 'elements' && above?.node.type === 'ArrayExpression' ? [{ ...instead(node, ''), place: 'element' }] : [],
  'drop property': ({ node, field, above }) =>
    field === 'properties' && above?.node.type === 'ObjectExpression'
      ? [{ ...instead(node, ''), place: 'property' }]
      : [],
  'drop alternative': ({ node }) =>
    isNode(node) && node.type === 'Literal' && node.regex
      ? withoutOneAlternative(String(node.raw)).map((to) => instead(node, to))
      : [],
  'drop link': ({ node, field, above }, text) => {
    const { callee } = node;
    if (node.type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') {
      return [];
    }
    // In an optional chain, the rest of the chain depends on this call.
    const inChain = callee.optional === true || (field === 'object' && above !== undefined && isInChain(above));
    return LINKS.test(nameIn(callee.property)) && !inChain ? [instead(node, part(callee, 'object', text))] : [];
  },
};

function emptyOf({ node, field, above }: Visit): string | undefined {
  if (node.type === 'ArrayExpression' && lengthOf(node.elements) > 0) {
    return '[]';
  }
  if (node.type === 'ObjectExpression' && lengthOf(node.properties) > 0) {
    return '{}';
  }
  const isText = node.type === 'Literal' && typeof node.value === 'string' && node.value !== '';
  const isKey = field === 'key' && above?.node.computed !== true;
  const isMessage = /\s\S/.test(String(node.value)) && !HOLDS_WORDS.test(above?.node.type ?? '');
  return isText && !isKey && !isMessage ? "''" : undefined;
}

function instead(node: Node, to: string): Proposal {
  return { start: Number(node.start), end: Number(node.end), to, place: 'expression' };
}

function joinedBy(node: Node, operator: string, text: string): string {
  return `(${part(node, 'left', text)}) ${operator} (${part(node, 'right', text)})`;
}

function part(node: Node, field: string, text: string): string {
  const below = node[field];
  return isNode(below) ? slice(below, text) : '';
}

function slice(node: Node, text: string): string {
  return text.slice(Number(node.start), Number(node.end));
}

function isFunction(node: Node | undefined): boolean {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node?.type ?? '');
}

function isCall(node: Node): boolean {
  const inner = node.type === 'AwaitExpression' ? node.argument : node;
  return isNode(inner) && inner.type === 'CallExpression' && !(isNode(inner.callee) && inner.callee.type === 'Super');
}

function isInChain({ node, above }: Visit): boolean {
  return (
    node.type === 'ChainExpression' || (/^(Member|Call)Expression$/.test(node.type) && !!above && isInChain(above))
  );
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

function nameIn(value: unknown): string {
  return isNode(value) ? String(value.name ?? '') : '';
}
