import { EXIT, SvcError, withoutPair } from '../../base/lib/errors.ts';
import { mostSimilar, shellWord } from '../../base/lib/text.ts';
import { attributeKey, isNormalKey } from '../../platforms/lib/attribute-keys.ts';
import type { ColumnTarget } from '../../platforms/lib/platform.ts';
import { RESERVED_ATTRIBUTE_KEYS } from '../../wire/service-words.ts';

/** One answer of `--map`: the column as typed, and what it becomes. */
export interface MapAnswer {
  /** The answer as typed, with the name of an input if it has one. */
  readonly pair: string;
  readonly column: string;
  readonly target: ColumnTarget;
}

const FIELDS = ['email', 'first_name', 'last_name', 'name', 'status', 'unsubscribed_at', 'reason', 'ignore'] as const;
type Field = (typeof FIELDS)[number];

interface WrongField {
  readonly pair: string;
  readonly column: string;
  readonly field: string;
}

/**
 * The hint for a pair without a known field. It never proposes to leave the pair out, because the field may be a
 * mistyped `status`.
 */
function fieldsHint({ pair, column, field }: WrongField, pairs: readonly string[]): string {
  const free = FIELDS.filter((name) => !pairs.some((other) => other.endsWith(`=${name}`)));
  const similar = mostSimilar(field, free);
  const corrected = (fields: readonly string[]) =>
    fields.map((name) => withoutPair('--map', pair, `${column}=${name}`)).join('\n');
  const key = attributeKey(field || column) || 'key';
  const answers =
    similar.length > 0
      ? `Perhaps:\n${corrected(similar)}`
      : `If the column says who is subscribed:\n${corrected(['status'])}\nIf not:\n${corrected([`attributes.${key}`, 'ignore'])}`;
  return `Fields are: ${FIELDS.join(' ')} topics.<top_…> attributes.<key>. ${answers}`;
}

/**
 * Reads one pair of `--map`, such as `Mail=email`. `pairs` are all pairs: the hint of an error offers no field that one
 * of them has.
 */
export function readMapAnswer(pair: string, pairs: readonly string[] = []): MapAnswer {
  const cut = pair.lastIndexOf('=');
  if (cut < 0) {
    throw answerError(
      'invalid_map',
      `--map takes column=field, not ${JSON.stringify(pair)}`,
      fieldsHint({ pair, column: pair, field: '' }, pairs),
    );
  }
  return { pair, column: pair.slice(0, cut), target: readTarget(pair.slice(cut + 1).trim(), pair, pairs) };
}

function readTarget(field: string, pair: string, pairs: readonly string[]): ColumnTarget {
  if (isField(field)) {
    return { kind: field };
  }
  if (field.startsWith('topics.top_') && field.length > 'topics.top_'.length) {
    return { kind: 'topic', topic: field.slice('topics.'.length) };
  }
  if (field.startsWith('attributes.')) {
    return attributeTarget(field.slice('attributes.'.length), pair);
  }
  throw answerError(
    'unknown_field',
    `unknown field: --map ${pair}`,
    fieldsHint({ pair, column: pair.slice(0, pair.lastIndexOf('=')), field }, pairs),
  );
}

function isField(text: string): text is Field {
  return (FIELDS as readonly string[]).includes(text);
}

function attributeTarget(key: string, pair: string): ColumnTarget {
  if (isReservedKey(key)) {
    throw answerError(
      'attribute_reserved',
      `the service ignores an attribute called ${key}: --map ${pair}`,
      `--map "<column>=${key}"`,
    );
  }
  if (!isNormalKey(key)) {
    const column = pair.slice(0, pair.lastIndexOf('='));
    const hint = `--map ${shellWord(`${column}=attributes.${attributeKey(key) || 'key'}`)}`;
    throw answerError('attribute_key', `an attribute key is written like company_org: --map ${pair}`, hint);
  }
  return { kind: 'attribute', key };
}

/** True for an attribute key that the service drops without an error (F4). */
export function isReservedKey(key: string): boolean {
  return (RESERVED_ATTRIBUTE_KEYS as readonly string[]).includes(key);
}

export function answerError(code: string, message: string, hint: string): SvcError {
  return new SvcError(EXIT.usage, code, message, { hint });
}
