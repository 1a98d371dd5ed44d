/** Replaces a secret in a text, in every form that it can have there, for example as base64. */
export type Scrub = (text: string) => string;

/**
 * Returns a function that replaces one secret by `mark` (K8). It finds the secret as it is, percent-encoded, in hex and
 * in base64, even inside a longer text such as `Bearer <key>`. It also replaces parts of the secret, because 12
 * characters of it reveal too much. The prefix of a key, such as `service_live_`, is not secret. A secret of fewer than
 * four characters is not replaced, because ordinary text would contain it.
 */
export function createScrub(secret: string, mark = '[api key]'): Scrub {
  if (secret.length < MIN_SECRET) {
    return (text) => text;
  }
  const forms = formsOf(secret);
  const positions = indexPieces(forms);
  const longestFirst = [...positions.keys()].sort((a, b) => b.length - a.length);
  const needle = new RegExp(longestFirst.map(escapeRegExp).join('|'), 'g');
  const mayContain = createQuickSearch(forms);
  return (text) => {
    if (!mayContain(text) || text.search(needle) < 0) {
      return text;
    }
    let clean = '';
    let copiedTo = 0;
    needle.lastIndex = 0;
    for (let hit = needle.exec(text); hit !== null; hit = needle.exec(text)) {
      const found = longestMatchAround(text, hit, positions.get(hit[0]) ?? []);
      if (found && found.end > copiedTo) {
        clean += text.slice(copiedTo, Math.max(copiedTo, found.start)) + (found.start < copiedTo ? '' : mark);
        copiedTo = found.end;
        needle.lastIndex = Math.max(copiedTo, hit.index + 1);
      } else {
        needle.lastIndex = hit.index + 1;
      }
    }
    return clean + text.slice(copiedTo);
  };
}

const MIN_SECRET = 4;
const MIN_PART = 12;
const MIN_ENCODED_PART = 16;
const PIECE_LENGTH = 8;
const PIECE_STEP = 4;

/**
 * One encoding of the secret. `core` is `text` without the prefix that is not secret. Any part of `core` with at least
 * `minLength` characters is replaced.
 */
interface Form {
  readonly text: string;
  readonly core: string;
  readonly minLength: number;
  /**
   * Matches the characters that this encoding uses. Such characters directly before or after a match are replaced too.
   */
  readonly surrounding: RegExp | undefined;
}

function formsOf(secret: string): Form[] {
  const bare = secret.replace(/^(?:[a-z]+_){1,3}/i, '');
  const isShort = bare.length < PIECE_LENGTH;
  const searchedPart = isShort ? secret : bare;
  const whole = [encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)].filter((text) => text !== secret);
  const bytes = Buffer.from(searchedPart, 'latin1');
  const hex = bytes.toString('hex');
  const percent = hex.replace(/../g, '%$&');
  const base64 = [0, 1, 2].map((shift) => inBase64(bytes, shift));
  return [
    {
      text: secret,
      core: searchedPart,
      minLength: isShort ? searchedPart.length : Math.min(MIN_PART, searchedPart.length),
      surrounding: undefined,
    },
    ...whole.map((text) => ({ text, core: text, minLength: text.length, surrounding: undefined })),
    ...[hex, hex.toUpperCase()].map((text) => encodedForm(text, /[0-9a-f]/i)),
    ...[percent, percent.toUpperCase()].map((text) => encodedForm(text, /[%0-9a-f]/i)),
    ...[...base64, ...base64.map(urlSafe)].map((text) => encodedForm(text, /[\w+/=-]/)),
  ].filter(({ core: text }, index, all) => text !== '' && all.findIndex((other) => other.core === text) === index);
}

function encodedForm(text: string, surrounding: RegExp): Form {
  return { text, core: text, minLength: Math.min(MIN_ENCODED_PART, text.length), surrounding };
}

/**
 * The base64 of these bytes inside a longer text. Base64 encodes groups of three bytes. `shift` (0 to 2) is where the
 * bytes begin in a group. Characters that also depend on neighboring bytes are left out.
 */
function inBase64(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}

function urlSafe(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_');
}

interface PiecePosition {
  readonly form: Form;
  readonly offset: number;
}

/**
 * Makes an index of short pieces of every form of the secret, so that one regular expression can search for all forms.
 * The search misses nothing that must be hidden: any part of a form with at least `minLength` characters contains an
 * indexed piece.
 */
function indexPieces(forms: readonly Form[]): ReadonlyMap<string, readonly PiecePosition[]> {
  const positions = new Map<string, PiecePosition[]>();
  for (const form of forms) {
    const start = form.text.indexOf(form.core);
    const length = Math.min(PIECE_LENGTH, form.core.length);
    for (let offset = 0; offset + length <= form.core.length; offset += PIECE_STEP) {
      const piece = form.core.slice(offset, offset + length);
      positions.set(piece, [...(positions.get(piece) ?? []), { form, offset: start + offset }]);
    }
  }
  return positions;
}

const MAX_GRAM = 6;
const MAX_HASH = 0xffff;

/**
 * Returns a search that is false only for texts without any part that must be replaced. Each such part is in a form and
 * has at least `minLength` characters. So it is enough to look at pieces of the text at this distance from each other.
 */
function createQuickSearch(forms: readonly Form[]): (text: string) => boolean {
  const least = forms.reduce((min, { minLength }) => Math.min(min, minLength), Number.POSITIVE_INFINITY);
  const length = Math.min(MAX_GRAM, least);
  const grams = new Set(
    forms.flatMap(({ text }) => Array.from({ length: text.length }, (_, at) => text.slice(at, at + length))),
  );
  const hashes = new Uint8Array(MAX_HASH + 1);
  for (const gram of grams) {
    hashes[hashOf(gram, 0, gram.length)] = 1;
  }
  return (text) => {
    for (let at = 0; at + length <= text.length; at += least - length + 1) {
      if (hashes[hashOf(text, at, length)] === 1 && grams.has(text.slice(at, at + length))) {
        return true;
      }
    }
    return false;
  };
}

function hashOf(text: string, at: number, length: number): number {
  let hash = 0;
  for (let index = at; index < at + length; index += 1) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) & MAX_HASH;
  }
  return hash;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * `hit` is a short piece of the secret in the text. Returns the longest match around it. Undefined if each match is too
 * short to be replaced.
 */
function longestMatchAround(text: string, hit: RegExpExecArray, positions: readonly PiecePosition[]): Span | undefined {
  const spans = positions.flatMap(({ form, offset }) => {
    const span = extendMatch(text, { start: hit.index, end: hit.index + hit[0].length }, { form, offset });
    return span.end - span.start >= form.minLength ? [includeSurrounding(text, span, form.surrounding)] : [];
  });
  return spans.sort((a, b) => b.end - b.start - (a.end - a.start))[0];
}

function extendMatch(text: string, { start, end }: Span, { form, offset }: PiecePosition): Span {
  const shift = offset - start;
  let [from, to] = [start, end];
  while (from > 0 && from + shift > 0 && text[from - 1] === form.text[from + shift - 1]) {
    from -= 1;
  }
  while (to < text.length && to + shift < form.text.length && text[to] === form.text[to + shift]) {
    to += 1;
  }
  return { start: from, end: to };
}

function includeSurrounding(text: string, { start, end }: Span, surrounding: RegExp | undefined): Span {
  let [from, to] = [start, end];
  while (surrounding && from > 0 && surrounding.test(text[from - 1]!)) {
    from -= 1;
  }
  while (surrounding && to < text.length && surrounding.test(text[to]!)) {
    to += 1;
  }
  return { start: from, end: to };
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
