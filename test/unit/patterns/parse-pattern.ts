/** A node of a regular expression. Groups are replaced by what they hold; a reference to a group matches nothing. */
export type Pattern =
  | { readonly kind: 'set'; readonly text: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly options: readonly Pattern[] }
  | {
      readonly kind: 'repeat';
      readonly part: Pattern;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    }
  | { readonly kind: 'look'; readonly part: Pattern; readonly back: boolean; readonly denies: boolean }
  | { readonly kind: 'place'; readonly sign: '^' | '$' | 'b' | 'B' };

const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})(\?)?/y;
const OPENING = /\((?:\?(?::|<?[=!]|<[A-Za-z]\w*>))?/y;
const ESCAPE = /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-f]{4}|x[0-9a-f]{2}|k<\w+>|.)/isuy;
const CLASS = /\[(?:\\.|[^\]\\])*\]/suy;

/** Reads the source of a regular expression, as far as svc uses the syntax. */
export function parsePattern(source: string): Pattern {
  let at = 0;
  const take = (matcher: RegExp): RegExpExecArray | null => {
    matcher.lastIndex = at;
    const found = matcher.exec(source);
    at += found?.[0].length ?? 0;
    return found;
  };
  const choice = (): Pattern => {
    const options = [sequence()];
    while (source[at] === '|') {
      at += 1;
      options.push(sequence());
    }
    return options.length === 1 ? (options[0] as Pattern) : { kind: 'choice', options };
  };
  const sequence = (): Pattern => {
    const parts: Pattern[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      parts.push(repeated(one()));
    }
    return parts.length === 1 ? (parts[0] as Pattern) : { kind: 'sequence', parts };
  };
  const repeated = (part: Pattern): Pattern => {
    const found = take(QUANTIFIER);
    if (!found) {
      return part;
    }
    const [, sign, least, comma, most] = found;
    const min = sign === '+' ? 1 : Number(least ?? 0);
    const max = sign === '?' ? 1 : sign || (comma && !most) ? Number.POSITIVE_INFINITY : Number(most || least);
    return { kind: 'repeat', part, min, max, lazy: found[5] !== undefined };
  };
  const one = (): Pattern => {
    const opening = take(OPENING)?.[0];
    if (opening !== undefined) {
      const part = choice();
      at += 1;
      const isLook = /[=!]$/.test(opening);
      return isLook ? { kind: 'look', part, back: opening.includes('<'), denies: opening.endsWith('!') } : part;
    }
    const text = (take(CLASS) ?? take(ESCAPE))?.[0];
    if (text !== undefined) {
      return text === '\\b' || text === '\\B'
        ? { kind: 'place', sign: text === '\\b' ? 'b' : 'B' }
        : /^\\(?:[1-9]|k<)/.test(text)
          ? { kind: 'sequence', parts: [] }
          : { kind: 'set', text };
    }
    const letter = String.fromCodePoint(source.codePointAt(at) as number);
    at += letter.length;
    return letter === '^' || letter === '$' ? { kind: 'place', sign: letter } : { kind: 'set', text: letter };
  };
  return choice();
}
