import { withoutAccents, withoutBlanks } from './plain-words.ts';

/** Matches any of these stems in text without blanks. Each line has several stems. */
export function stemPattern(...lines: readonly string[]): RegExp {
  return compileWords(stemsOf(lines));
}

/** Matches any of these stems as a whole word, in any script. `_` stands for a blank. */
export function wordPattern(...lines: readonly string[]): RegExp {
  return compileWords(`(?:^| )(?:${stemsOf(lines).replaceAll('_', ' ')})(?= |$)`);
}

/** Matches words that begin with any of these stems. `_` stands for a blank. */
export function wordStartPattern(...lines: readonly string[]): RegExp {
  return compileWords(`(?:^| )(?:${stemsOf(lines).replaceAll('_', ' ')})`);
}

/**
 * Makes a pattern for texts from `wordsOf`. They have only letters, digits and blanks, so a letter is any character
 * that is neither digit nor blank. This pattern is faster: V8 takes ten times longer to compile `\p{L}` with its flag
 * `u`.
 */
export function compileWords(source: string): RegExp {
  const pattern = compileRareWords(source);
  newPatterns.push(pattern);
  return pattern;
}

/** Like `compileWords`, for a large pattern that few lists need. V8 compiles it only when it is first used. */
export function compileRareWords(source: string): RegExp {
  // `\p{L}` inside a class such as `[\p{L}\d]` stays unchanged.
  const simple = source.replace(/\[[^[\]]{0,300}\]|\\p\{L\}/g, (found) => (found === '\\p{L}' ? '[^\\d ]' : found));
  return new RegExp(simple, simple.includes('\\p{') ? 'u' : '');
}

const newPatterns: RegExp[] = [];

/**
 * Makes V8 compile the patterns now, to machine code. By default V8 compiles a pattern to bytecode for its first text
 * and to machine code for its second. If the first text is long, V8 compiles only once, to machine code. This halves
 * the time.
 */
export function prepareWordPatterns(): void {
  for (const pattern of newPatterns.splice(0)) {
    pattern.test(LONG_TEXT);
  }
}

// V8 counts texts of 1,000 characters and more as long. No pattern matches this text, so the search is quick.
const LONG_TEXT = '~'.repeat(1_000);

// The stems as alternatives of a regular expression, without accents, because the searched text has none. The limits
// such as `{0,60}` keep the time linear, because a header can have thousands of letters.
function stemsOf(lines: readonly string[]): string {
  return lines
    .map(withoutAccents)
    .flatMap((line) => line.split(/[\s,]+/))
    .filter(Boolean)
    .map((stem) => stem.replaceAll('.*', '.{0,60}').replaceAll(/(?<=\\p\{L\}|\\w)\*/gu, '{0,40}'))
    .join('|');
}

/**
 * True if the text contains a stem when its blanks are removed: `opt out` contains `optout`. A stem that begins inside
 * a word must end in the same word: `casino newsletter` does not contain `nonewsletter`.
 */
export function containsStem(stem: RegExp, words: string): boolean {
  const text = withoutBlanks(words);
  if (!stem.test(text) || text === words) {
    return stem.test(text);
  }
  const starts = startsOf(words);
  // `de suscripción` is about a subscription, `desuscripción` about its end.
  const isWhole = ({ index, 0: matched }: RegExpExecArray) =>
    (starts.has(index) && !(matched.startsWith('desuscr') && starts.has(index + 2))) ||
    !matched.split('').some((_, position) => position > 0 && starts.has(index + position));
  const next = globalCopyOf(stem);
  next.lastIndex = 0;
  // A match that does not count may overlap with the next one, so the search continues one letter later.
  for (let match = next.exec(text); match; match = next.exec(text)) {
    if (isWhole(match)) {
      return true;
    }
    next.lastIndex = match.index + 1;
  }
  return false;
}

// The index of each word's first letter in the text without blanks.
function startsOf(words: string): ReadonlySet<number> {
  const starts = new Set<number>();
  let position = 0;
  for (const word of words.split(' ')) {
    starts.add(position);
    position += word.length;
  }
  return starts;
}

/** The pattern with the flag `g`. Each has only one copy, because V8 takes milliseconds to compile a long pattern. */
export function globalCopyOf(pattern: RegExp): RegExp {
  const copy = globalCopies.get(pattern) ?? new RegExp(pattern, `${pattern.flags}g`);
  globalCopies.set(pattern, copy);
  return copy;
}

const globalCopies = new WeakMap<RegExp, RegExp>();
