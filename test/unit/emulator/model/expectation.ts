/** What the document says about a response. `body` may hold symbols, matchers and plain JSON. */
export interface Expectation {
  readonly status: unknown;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A response as it arrived. */
export interface Arrived {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly json: unknown;
}

/** A part of a response that the document leaves open, with the values that it allows. */
export class Matcher {
  readonly name: string;
  readonly accepts: (value: unknown) => boolean;

  constructor(name: string, accepts: (value: unknown) => boolean) {
    this.name = name;
    this.accepts = accepts;
  }
}

/** An object that may have more fields than these. */
export class AtLeast {
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.fields = fields;
  }
}

/** A part that may look like any of these. */
export class AnyOf {
  readonly choices: readonly unknown[];

  constructor(choices: readonly unknown[]) {
    this.choices = choices;
  }
}

export const SOME_TEXT = new Matcher('some text', (value) => typeof value === 'string' && value !== '');
export const ABSENT = undefined;

export function wholeNumber(from: number, to: number): Matcher {
  return new Matcher(`a whole number from ${from} to ${to}`, (value) => {
    const number = Number(value);
    return value !== undefined && Number.isInteger(number) && number >= from && number <= to;
  });
}

/**
 * Pairs the names that the model gives to objects with the ids of the service. A symbol is `@` and a prefix, such as
 * `@sub_3`. Each symbol stands for one id and each id for one symbol.
 */
export class Bindings {
  readonly #ids = new Map<string, string>();
  readonly #symbols = new Map<string, string>();

  bind(symbol: string, id: string): boolean {
    const isFree = !this.#ids.has(symbol) && !this.#symbols.has(id);
    if (isFree && id.startsWith(symbol.slice(1, symbol.indexOf('_') + 1))) {
      this.#ids.set(symbol, id);
      this.#symbols.set(id, symbol);
    }
    return this.#ids.get(symbol) === id;
  }

  idOf(symbol: string): string | undefined {
    return this.#ids.get(symbol);
  }

  symbolOf(id: string): string | undefined {
    return this.#symbols.get(id);
  }
}

/** The first difference between a response and what is expected, with its path. Undefined if there is none. */
export function differenceOf(expected: Expectation, arrived: Arrived, bindings: Bindings): string | undefined {
  const compare = createCompare(bindings);
  return (
    compare(expected.status, arrived.status, 'status') ??
    compare(new AtLeast(expected.headers), arrived.headers, 'headers') ??
    compare(expected.body, arrived.json, 'body')
  );
}

type Compare = (expected: unknown, found: unknown, path: string) => string | undefined;

function createCompare(bindings: Bindings): Compare {
  const say = (path: string, expected: unknown, found: unknown) =>
    `${path}: expected ${typeof expected === 'string' ? expected : JSON.stringify(expected)}, got ${JSON.stringify(found)}`;
  const compareFields = (expected: Readonly<Record<string, unknown>>, found: unknown, path: string) => {
    if (typeof found !== 'object' || found === null) {
      return say(path, expected, found);
    }
    const fields = new Map(Object.entries(found));
    return first(Object.entries(expected).map(([name, value]) => compare(value, fields.get(name), `${path}.${name}`)));
  };
  const compare: Compare = (expected, found, path) => {
    if (expected instanceof Matcher) {
      return expected.accepts(found) ? undefined : say(path, expected.name, found);
    }
    if (expected instanceof AnyOf) {
      const problems = expected.choices.map((choice) => compare(choice, found, path));
      return problems.includes(undefined) ? undefined : problems.join(' or ');
    }
    if (expected instanceof AtLeast) {
      return compareFields(expected.fields, found, path);
    }
    if (typeof expected === 'string' && expected.startsWith('@')) {
      const isBound = typeof found === 'string' && bindings.bind(expected, found);
      return isBound ? undefined : say(path, `${expected} (${bindings.idOf(expected)})`, found);
    }
    if (typeof expected !== 'object' || expected === null) {
      return expected === found ? undefined : say(path, expected, found);
    }
    const names = (value: unknown) => Object.keys(Object(value)).filter((name) => Object(value)[name] !== ABSENT);
    const [wanted, there] = [names(expected), names(found)];
    const others = there.filter((name) => !wanted.includes(name));
    const sameKind = Array.isArray(expected) === Array.isArray(found);
    const open = new Set(Object.entries(expected).flatMap(([name, value]) => (isOpen(value) ? [name] : [])));
    return others.every((name) => open.has(name)) && sameKind
      ? compareFields(Object.fromEntries(Object.entries(expected)), found, path)
      : say(`${path} has other fields`, wanted, there);
  };
  return compare;
}

const isOpen = (value: unknown) => value instanceof Matcher || value instanceof AnyOf;

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}
