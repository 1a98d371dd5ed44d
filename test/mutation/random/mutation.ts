/** How a mutation replaces its original in the running program. */
export type Place = 'expression' | 'element' | 'property' | 'entry';

/** One small change of behavior, at one place of a source file. */
export interface Mutation {
  readonly file: string;
  readonly line: number;
  readonly operator: string;
  /**
   * `to` replaces the text from `start` to `end`. An `entry` only inserts code there, and an `element` or a `property`
   * is only removed.
   */
  readonly start: number;
  readonly end: number;
  readonly to: string;
  readonly place: Place;
}

/** Name of the function that says which mutation is active. Every changed file imports it. */
const SWITCH = 'isMutant';

/** A drawn mutation, with its number in the sample. */
export interface Drawn extends Mutation {
  readonly id: number;
}

/**
 * The text of a file with all its mutations, each behind a switch. Line numbers stay. `from` is the import path of the
 * switch.
 */
export function plantAll(text: string, mutations: readonly Drawn[], from: string): string {
  const outerFirst = mutations.toSorted((a, b) => a.start - b.start || b.end - a.end || rank(a) - rank(b));
  return `import { ${SWITCH} } from '${from}'; ${plantWithin(text, outerFirst, { start: 0, end: text.length })}`;
}

// A removed element or property encloses the mutations of its own text, so it comes first.
function rank({ place }: Mutation): number {
  return place === 'expression' ? 1 : 0;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

// Nodes of a syntax tree are nested or disjoint. So the first mutation of the range encloses or precedes the others.
function plantWithin(text: string, mutations: readonly Drawn[], { start, end }: Range): string {
  const [first, ...rest] = mutations;
  if (!first) {
    return text.slice(start, end);
  }
  const inside = rest.filter((other) => other.start >= first.start && other.end <= first.end);
  const after = rest.filter((other) => !inside.includes(other));
  const original = plantWithin(text, inside, first);
  return `${text.slice(start, first.start)}${chosen(first, original)}${plantWithin(text, after, { start: first.end, end })}`;
}

function chosen({ id, place, to }: Drawn, original: string): string {
  switch (place) {
    case 'expression':
      return `(${SWITCH}(${id}) ? (${to}) : (${original}))`;
    case 'element':
      return `...(${SWITCH}(${id}) ? [] : [${original}])`;
    case 'property':
      return `...(${SWITCH}(${id}) ? {} : { ${original} })`;
    case 'entry':
      return ` if (${SWITCH}(${id})) { return undefined; } ${original}`;
  }
}
