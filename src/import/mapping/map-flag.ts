import { EXIT, SvcError, withoutFlags } from '../../base/lib/errors.ts';
import { shellWord } from '../../base/lib/text.ts';
import { attributeKey, isNormalKey } from '../../platforms/lib/attribute-keys.ts';
import type { ColumnTarget } from '../../platforms/lib/platform.ts';
import { RESERVED_ATTRIBUTE_KEYS } from '../../wire/service-words.ts';

/** One answer of `--map`: the column as typed, and what it becomes. */
export interface MapAnswer {
  readonly column: string;
  readonly target: ColumnTarget;
}

const FIELDS = ['email', 'first_name', 'last_name', 'name', 'status', 'unsubscribed_at', 'reason', 'ignore'] as const;
type Field = (typeof FIELDS)[number];

const FIELDS_HINT = `Fields are: ${FIELDS.join(' ')} topics.<top_…> attributes.<key>. Without the flag:\n${withoutFlags(['--map'])}`;

export function readMapAnswer(pair: string): MapAnswer {
  const cut = pair.lastIndexOf('=');
  if (cut < 0) {
    throw answerError('invalid_map', `--map takes column=field, not ${JSON.stringify(pair)}`, FIELDS_HINT);
  }
  return { column: pair.slice(0, cut), target: readTarget(pair.slice(cut + 1).trim(), pair) };
}

function readTarget(field: string, pair: string): ColumnTarget {
  if (isField(field)) {
    return { kind: field };
  }
  if (field.startsWith('topics.top_') && field.length > 'topics.top_'.length) {
    return { kind: 'topic', topic: field.slice('topics.'.length) };
  }
  if (field.startsWith('attributes.')) {
    return attributeTarget(field.slice('attributes.'.length), pair);
  }
  throw answerError('unknown_field', `unknown field: --map ${pair}`, FIELDS_HINT);
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
