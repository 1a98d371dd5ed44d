import { memoize } from '../../../src/base/lib/memoize.ts';
import type { Pattern } from './parse-pattern.ts';

type Next = (at: number) => boolean;
type Matcher = (at: number, next: Next) => boolean;

/** True if a letter belongs to a set such as `[a-z]`. Cached, because the same few letters come again. */
export type IsIn = (set: string, letter: string) => boolean;

const byFlags = new Map<string, IsIn>();

/** The test for sets under these flags. */
export function setsFor(flags: string): IsIn {
  const found = byFlags.get(flags) ?? createIsIn(flags.replaceAll(/[gym]/g, ''));
  byFlags.set(flags, found);
  return found;
}

function createIsIn(flags: string): IsIn {
  const tests = new Map<string, (letter: string) => boolean>();
  return (set, letter) => {
    const found = tests.get(set);
    if (found) {
      return found(letter);
    }
    const pattern = new RegExp(`^${set}$`, flags);
    const test = memoize((one) => pattern.test(one));
    tests.set(set, test);
    return test(letter);
  };
}

/** More steps are not counted. */
export const ENDLESS = 500_000;

/**
 * Counts the letters that a backtracking search compares until it has all matches in a text. It searches as V8 does,
 * but without its shortcuts.
 */
export function createCounter(pattern: Pattern, flags: string, isIn: IsIn): (text: string) => number {
  let letters: readonly string[] = [];
  let steps = 0;
  const isWord = (at: number) => /\w/.test(letters[at] ?? ' ');
  const isLine = (at: number) => flags.includes('m') && letters[at] === '\n';
  const places = {
    '^': (at: number) => at === 0 || isLine(at - 1),
    $: (at: number) => at === letters.length || isLine(at),
    b: (at: number) => isWord(at - 1) !== isWord(at),
    B: (at: number) => isWord(at - 1) === isWord(at),
  };
  const matcherOf = (node: Pattern, back: boolean): Matcher => {
    switch (node.kind) {
      case 'set':
        return (at, next) => {
          steps += 1;
          const letter = letters[back ? at - 1 : at];
          return steps < ENDLESS && letter !== undefined && isIn(node.text, letter) && next(back ? at - 1 : at + 1);
        };
      case 'sequence': {
        const parts = node.parts.map((part) => matcherOf(part, back));
        return (back ? parts.reverse() : parts).reduceRight<Matcher>(
          (rest, part) => (at, next) => part(at, (then) => rest(then, next)),
          (at, next) => next(at),
        );
      }
      case 'choice':
        return choiceOf(node.options, back);
      case 'repeat':
        return repeatOf(node, matcherOf(node.part, back));
      case 'look': {
        const part = matcherOf(node.part, node.back);
        return (at, next) => part(at, () => true) !== node.denies && next(at);
      }
      case 'place':
        return (at, next) => places[node.sign](at) && next(at);
    }
  };
  // Only the options that can begin with the letter are tried, so that hundreds of words take one step, not hundreds.
  const choiceOf = (options: readonly Pattern[], back: boolean): Matcher => {
    const all = options.map((option) => [option, matcherOf(option, back)] as const);
    const byLetter = new Map<string | undefined, readonly Matcher[]>();
    return (at, next) => {
      steps += 1;
      const letter = letters[back ? at - 1 : at];
      const found =
        byLetter.get(letter) ??
        all.flatMap(([option, matcher]) =>
          canBeEmpty(option) || canBegin(option, letter, { back, isIn }) ? [matcher] : [],
        );
      byLetter.set(letter, found);
      return found.some((matcher) => matcher(at, next));
    };
  };
  const search = matcherOf(pattern, false);
  return (text) => {
    letters = [...text];
    steps = 0;
    for (let at = 0; at <= letters.length && steps < ENDLESS; ) {
      let end = -1;
      search(at, (then) => {
        end = then;
        return true;
      });
      at = flags.includes('y') && end < 0 ? letters.length + 1 : Math.max(end, at + 1);
    }
    return steps;
  };
}

function repeatOf({ min, max, lazy }: Extract<Pattern, { kind: 'repeat' }>, part: Matcher): Matcher {
  const from = (at: number, count: number, next: Next): boolean => {
    const more = () => count < max && part(at, (then) => (then !== at || count < min) && from(then, count + 1, next));
    if (count < min) {
      return more();
    }
    return lazy ? next(at) || more() : more() || next(at);
  };
  return (at, next) => from(at, 0, next);
}

interface Reading {
  readonly back: boolean;
  readonly isIn: IsIn;
}

// True if a match of the pattern that is not empty can begin with the letter.
function canBegin(node: Pattern, letter: string | undefined, reading: Reading): boolean {
  switch (node.kind) {
    case 'set':
      return letter !== undefined && reading.isIn(node.text, letter);
    case 'choice':
      return node.options.some((option) => canBegin(option, letter, reading));
    case 'repeat':
      return canBegin(node.part, letter, reading);
    case 'sequence': {
      const parts = reading.back ? node.parts.toReversed() : node.parts;
      const end = parts.findIndex((part) => !canBeEmpty(part));
      return parts.slice(0, end < 0 ? parts.length : end + 1).some((part) => canBegin(part, letter, reading));
    }
    default:
      return false;
  }
}

function canBeEmpty(node: Pattern): boolean {
  switch (node.kind) {
    case 'set':
      return false;
    case 'choice':
      return node.options.some(canBeEmpty);
    case 'repeat':
      return node.min === 0 || canBeEmpty(node.part);
    case 'sequence':
      return node.parts.every(canBeEmpty);
    default:
      return true;
  }
}
