import { dirname, join } from 'node:path/posix';
import { parseAst } from 'vite';

/** A node of the syntax tree (ESTree with TypeScript); what its fields hold depends on `type`. */
export interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A node and its place in the tree. `above` is undefined for the whole file. */
export interface Visit {
  readonly node: Node;
  readonly field: string;
  readonly above: Visit | undefined;
}

/** One import of a module. `from` is a path from the root of the repository, or the name of a package. */
export interface Import {
  readonly from: string;
  /** Names as exported there; `*` stands for all of them. */
  readonly names: readonly string[];
  readonly typeOnly: boolean;
}

export interface Export {
  readonly name: string;
  readonly isType: boolean;
  /** The statement that declares it. */
  readonly statement: Node;
}

/** A source file as the rules see it. `path` is from the root of the repository. */
export interface Module {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly visits: readonly Visit[];
  readonly statements: readonly Node[];
  readonly imports: readonly Import[];
  readonly exports: readonly Export[];
}

/** Reads one file. */
export function parseModule(path: string, text: string): Module {
  const program = parseAst(text, { lang: 'ts' }) as unknown as Node;
  const visits = visitsOf(program);
  const statements = nodes(program.body);
  return {
    path,
    text,
    lines: linesOf(text),
    visits,
    statements,
    imports: visits.flatMap((visit) => importsAt(visit, path)),
    exports: statements.flatMap(exportsOf),
  };
}

/** Number of lines. A final newline starts no further line. */
export function linesOf(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** All nodes below this one, in the order of the source. */
export function visitsOf(root: Node, above?: Visit): Visit[] {
  return Object.entries(root).flatMap(([field, value]) =>
    nodes(value).flatMap((node) => {
      const visit = { node, field, above };
      return [visit, ...visitsOf(node, visit)];
    }),
  );
}

/** The name of an identifier, or the text of a literal in its place. */
export function nameOf(value: unknown): string {
  return isNode(value) ? String(value.name ?? value.value ?? '') : '';
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function nodes(value: unknown): Node[] {
  return (Array.isArray(value) ? value : [value]).filter(isNode);
}

function importsAt(visit: Visit, path: string): Import[] {
  const { node } = visit;
  const from = resolveImport(path, nameOf(node.source));
  switch (node.type) {
    case 'ImportDeclaration':
      return [{ from, names: namesOf(node, 'imported'), typeOnly: node.importKind === 'type' || allTypes(node) }];
    case 'ExportNamedDeclaration':
      return node.source ? [{ from, names: namesOf(node, 'local'), typeOnly: node.exportKind === 'type' }] : [];
    case 'ExportAllDeclaration':
      return [{ from, names: ['*'], typeOnly: node.exportKind === 'type' }];
    case 'TSImportType':
      return [{ from, names: ['*'], typeOnly: true }];
    case 'ImportExpression':
      return [{ from, names: takenFrom(visit.above), typeOnly: false }];
    default:
      return [];
  }
}

function allTypes(node: Node): boolean {
  const specifiers = nodes(node.specifiers);
  return specifiers.length > 0 && specifiers.every((specifier) => specifier.importKind === 'type');
}

function namesOf(node: Node, field: string): string[] {
  return nodes(node.specifiers).map((specifier) =>
    specifier.type === 'ImportDefaultSpecifier' ? 'default' : nameOf(specifier[field]) || '*',
  );
}

/** The names that an `await import('x')` uses. `*` if it is neither destructured nor read by one member. */
function takenFrom(above: Visit | undefined): string[] {
  const { node } = above ?? {};
  switch (node?.type) {
    case 'AwaitExpression':
    case 'ParenthesizedExpression':
      return takenFrom(above?.above);
    case 'MemberExpression':
      return [node.computed ? '*' : nameOf(node.property)];
    case 'VariableDeclarator':
      return isNode(node.id) && node.id.type === 'ObjectPattern'
        ? nodes(node.id.properties).map((property) => nameOf(property.key) || '*')
        : ['*'];
    default:
      return ['*'];
  }
}

function resolveImport(path: string, specifier: string): string {
  return specifier.startsWith('.') ? join(dirname(path), specifier) : specifier;
}

function exportsOf(statement: Node): Export[] {
  if (statement.type === 'ExportDefaultDeclaration') {
    return [{ name: 'default', isType: false, statement }];
  }
  if (statement.type !== 'ExportNamedDeclaration') {
    return [];
  }
  const isType = statement.exportKind === 'type';
  const specifiers = nodes(statement.specifiers).map((specifier) => nameOf(specifier.exported));
  return [...specifiers, ...declaredNames(statement.declaration)].map((name) => ({ name, isType, statement }));
}

function declaredNames(declaration: unknown): string[] {
  if (!isNode(declaration)) {
    return [];
  }
  return declaration.type === 'VariableDeclaration'
    ? nodes(declaration.declarations).map((declarator) => nameOf(declarator.id))
    : [nameOf(declaration.id)];
}
