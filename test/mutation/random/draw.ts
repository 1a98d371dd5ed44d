import { isNode, type Node, parseModule, type Visit } from '../../architecture/module.ts';
import { createRandom } from '../../simulation/random.ts';
import type { Drawn, Mutation } from './mutation.ts';
import { OPERATORS } from './operators.ts';

/** Nodes for types and for the names of modules, which are never mutated. */
const NOT_DRAWN = /^(Import|ExportAll|TS(?!AsExpression|SatisfiesExpression|NonNullExpression))/;

/** Names of members that hold text for users, which is never mutated. */
const MESSAGES = /^(message|hint|summary|description|help|title|details?|note)$/;

/** All mutations of a source file, except types, comments and texts for users. */
export function mutationsOf(file: string, text: string): Mutation[] {
  const lineStarts = [...text.matchAll(/^/gm)].map(({ index }) => index);
  return parseModule(file, text)
    .visits.filter(isDrawn)
    .flatMap((visit) =>
      Object.entries(OPERATORS).flatMap(([operator, propose]) =>
        propose(visit, text).map((proposal) => ({ ...proposal, operator, file })),
      ),
    )
    .map((mutation) => ({ ...mutation, line: lineStarts.findLastIndex((start) => start <= mutation.start) + 1 }));
}

/** Draws lines with equal probability, and one mutation of each. */
export function draw(mutations: readonly Mutation[], count: number, seed: number): Drawn[] {
  const random = createRandom(seed);
  const lines = [...Map.groupBy(mutations, ({ file, line }) => `${file}:${line}`).values()];
  return Array.from({ length: Math.min(count, lines.length) }, (_, at) => {
    const [line = []] = lines.splice(random.int(0, lines.length - 1), 1);
    return { ...random.pick(line), id: at + 1 };
  });
}

function isDrawn(visit: Visit): boolean {
  for (let here: Visit | undefined = visit; here; here = here.above) {
    if (NOT_DRAWN.test(here.node.type) || isMessage(here)) {
      return false;
    }
  }
  return true;
}

function isMessage({ node }: Visit): boolean {
  return (
    (node.type === 'Property' && MESSAGES.test(keyName(node))) ||
    (node.type === 'TemplateLiteral' && Array.isArray(node.quasis) && node.quasis.some(hasSpace))
  );
}

function keyName({ key }: Node): string {
  return isNode(key) ? String(key.name ?? '') : '';
}

function hasSpace(quasi: unknown): boolean {
  return isNode(quasi) && /\s/.test(JSON.stringify(quasi.value).replaceAll(/\\[nt]/g, ' '));
}
