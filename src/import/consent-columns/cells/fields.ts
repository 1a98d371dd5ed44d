/** The longest cell that is cut into pairs. */
const LONGEST = 1_000;

const PAIR = /^\s*([\p{L}_][\p{L}\p{N}_ .-]{0,60}?)\s*=(.*)$/u;

/** The fields in a cell, as JSON: a cell of JSON, of pairs such as `city=Rome;optin=0`, or of PHP. Undefined for other text. */
export function fieldsOf(cell: string): string | undefined {
  if (/^\s*[[{]/.test(cell)) {
    return isJson(cell) ? cell : undefined;
  }
  if (PHP.test(cell)) {
    return phpFields(cell);
  }
  return cell.includes('=') && cell.length <= LONGEST ? pairsOf(cell, PAIR) : undefined;
}

function pairsOf(cell: string, form: RegExp): string | undefined {
  const pairs = cell.split(/[;,|&\n]/).map((part) => form.exec(part));
  return pairs.every((pair) => pair !== null)
    ? JSON.stringify(pairs.map(([, key = '', value = '']) => ({ [key]: value.trim() })))
    : undefined;
}

function isJson(cell: string): boolean {
  try {
    return typeof JSON.parse(cell) === 'object';
  } catch {
    return false;
  }
}

// The colon of a link is no label.
const LABELLED = /^\s*([\p{L}_][\p{L}\p{N}_ .-]{0,60}?)\s*:(?!\/\/)\s*(\S.*)$/u;

/** The fields of `city: Rome; consent: false`, as JSON. Undefined for other text. */
export function labelledFieldsOf(cell: string): string | undefined {
  return cell.includes(':') && cell.length <= LONGEST ? pairsOf(cell, LABELLED) : undefined;
}

// An array that PHP serialized: `a:1:{s:10:"newsletter";b:0;}`. WordPress stores settings of people so.
const PHP = /^\s*a:\d+:\{/;
const PHP_FIELD = /s:\d+:"([^"]*)";(?:s:\d+:"([^"]*)"|[bid]:(-?[\d.]+)|N);/g;

/** The text of a cell, with the fields of PHP as JSON. */
export function phpAsJson(text: string): string {
  return PHP.test(text) ? phpFields(text) : text;
}

function phpFields(cell: string): string {
  const fields = [...cell.matchAll(PHP_FIELD)];
  return JSON.stringify(fields.map(([, key = '', text, figure]) => ({ [key]: text ?? figure ?? null })));
}
