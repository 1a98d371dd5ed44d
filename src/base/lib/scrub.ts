/** Takes a secret out of a text, wherever and however it stands in it. */
export type Scrub = (text: string) => string;

/**
 * Scrubs one secret (K8): as it is, in part (12 characters in a row say too much), percent-encoded, as hex, and in base64
 * at any place of a longer text, such as `Bearer <key>`. The first words of a key, `service_live_`, are no secret. A
 * secret of fewer than four characters is left, because nothing could be printed without it.
 */
export function createScrub(secret: string, mark = '[api key]'): Scrub {
  if (secret.length < SHORTEST) {
    return (text) => text;
  }
  const forms = formsOf(secret);
  const places = placesOf(forms);
  const needle = new RegExp(
    [...places.keys()]
      .sort((a, b) => b.length - a.length)
      .map(quoted)
      .join('|'),
    'g',
  );
  return (text) => {
    if (text.search(needle) < 0) {
      return text;
    }
    let clean = '';
    let done = 0;
    needle.lastIndex = 0;
    for (let hit = needle.exec(text); hit !== null; hit = needle.exec(text)) {
      const found = longest(text, hit, places.get(hit[0]) ?? []);
      if (found && found.end > done) {
        clean += text.slice(done, Math.max(done, found.start)) + (found.start < done ? '' : mark);
        done = found.end;
        needle.lastIndex = Math.max(done, hit.index + 1);
      } else {
        needle.lastIndex = hit.index + 1;
      }
    }
    return clean + text.slice(done);
  };
}

const SHORTEST = 4;
const TELLING = 12;
const TELLING_CODE = 16;
const NEEDLE = 8;
const STEP = 4;

/** One way to write the secret. `least` characters of it in a row are a part that matters. */
interface Form {
  readonly text: string;
  readonly core: string;
  readonly least: number;
  /** What may stand around the core and belongs to it: the characters of an encoding. */
  readonly around: RegExp | undefined;
}

function formsOf(secret: string): Form[] {
  const bare = secret.replace(/^(?:[a-z]+_){1,3}/i, '');
  const isShort = bare.length < NEEDLE;
  const core = isShort ? secret : bare;
  const whole = [encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)].filter((text) => text !== secret);
  const bytes = Buffer.from(core, 'latin1');
  const hex = bytes.toString('hex');
  const percent = hex.replace(/../g, '%$&');
  const base64 = [0, 1, 2].map((shift) => inBase64(bytes, shift));
  return [
    { text: secret, core, least: isShort ? core.length : Math.min(TELLING, core.length), around: undefined },
    ...whole.map((text) => ({ text, core: text, least: text.length, around: undefined })),
    ...[hex, hex.toUpperCase()].map((text) => encoded(text, /[0-9a-f]/i)),
    ...[percent, percent.toUpperCase()].map((text) => encoded(text, /[%0-9a-f]/i)),
    ...[...base64, ...base64.map(urlSafe)].map((text) => encoded(text, /[\w+/=-]/)),
  ].filter(({ core: text }, index, all) => text !== '' && all.findIndex((other) => other.core === text) === index);
}

function encoded(text: string, around: RegExp): Form {
  return { text, core: text, least: Math.min(TELLING_CODE, text.length), around };
}

/** Those characters of the base64 that come of these bytes alone, where they begin at that place of a group of three. */
function inBase64(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}

function urlSafe(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_');
}

interface Place {
  readonly form: Form;
  readonly at: number;
}

/** Pieces of every form by which it is found, so near to each other that no part that matters is without one. */
function placesOf(forms: readonly Form[]): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  for (const form of forms) {
    const start = form.text.indexOf(form.core);
    const length = Math.min(NEEDLE, form.core.length);
    for (let at = 0; at + length <= form.core.length; at += STEP) {
      const piece = form.core.slice(at, at + length);
      places.set(piece, [...(places.get(piece) ?? []), { form, at: start + at }]);
    }
  }
  return places;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The longest part of the secret around a hit; undefined where it is too short to matter. */
function longest(text: string, hit: RegExpExecArray, places: readonly Place[]): Span | undefined {
  const spans = places.flatMap(({ form, at }) => {
    const span = grown(text, { start: hit.index, end: hit.index + hit[0].length }, { form, at });
    return span.end - span.start >= form.least ? [withAround(text, span, form.around)] : [];
  });
  return spans.sort((a, b) => b.end - b.start - (a.end - a.start))[0];
}

function grown(text: string, { start, end }: Span, { form, at }: Place): Span {
  let [from, to] = [start, end];
  while (from > 0 && at - (start - from) > 0 && text[from - 1] === form.text[at - (start - from) - 1]) {
    from -= 1;
  }
  while (to < text.length && at + (to - start) < form.text.length && text[to] === form.text[at + (to - start)]) {
    to += 1;
  }
  return { start: from, end: to };
}

function withAround(text: string, { start, end }: Span, around: RegExp | undefined): Span {
  let [from, to] = [start, end];
  while (around && from > 0 && around.test(text[from - 1]!)) {
    from -= 1;
  }
  while (around && to < text.length && around.test(text[to]!)) {
    to += 1;
  }
  return { start: from, end: to };
}

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
