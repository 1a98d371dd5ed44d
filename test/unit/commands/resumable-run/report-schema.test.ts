import { Ajv, type AnySchemaObject } from 'ajv';
import { describe, expect, test } from 'vitest';
import schema from '../../../../schema/run-report.schema.json' with { type: 'json' };
import { people } from '../../../support/lists.ts';
import { createWorld } from '../../../support/world.ts';

/** The schema without further fields. */
const strict = new Ajv({ allErrors: true, formats: { 'date-time': true } }).compile(withoutFurtherFields(schema));

/** Reports of runs that ended in different ways. */
const RUNS: readonly (readonly [string, string, readonly string[], number])[] = [
  ['a run ended well', people(30), ['migrate', 'list.csv'], 0],
  ['rows were rejected', `${people(30)}no address,x,subscribed\n`, ['migrate', 'list.csv'], 3],
  ['a check stopped it', 'Email,Status\nann@example.com,zzgrmbl\n', ['migrate', 'list.csv'], 5],
  ['it was a dry run', people(3), ['migrate', 'list.csv', '--dry-run'], 0],
  ['it wrote suppressions alone', people(3), ['suppressions', 'import', 'list.csv', '--reason', 'bounced'], 0],
  [
    'a status was mapped',
    'Mail,Z\na@example.com,x\n',
    ['contacts', 'import', 'list.csv', '--map', 'Z=status', '--status-map', 'x=skip'],
    0,
  ],
];

describe('the JSON schema of reports', () => {
  test.each(RUNS)('the JSON schema describes each field of a report when %s', async (_, list, line, exit) => {
    const world = await createWorld();
    world.file('list.csv', list);
    const { code, json } = await world.svc([...line, '--json', '--yes']);
    expect(code).toBe(exit);
    strict(json);
    expect(strict.errors ?? []).toEqual([]);
  });

  test('the JSON schema refuses a report when a count is not a number', async () => {
    const world = await createWorld();
    world.file('list.csv', people(3));
    const { json } = await world.svc(['migrate', 'list.csv', '--dry-run', '--json']);
    expect(strict({ ...json, rows: { ...json.rows, read: 'three' } })).toBe(false);
    expect(strict({ ...json, surprise: true })).toBe(false);
  });
});

/** A copy in which objects with named fields allow no others. The preview holds the fields of any list. */
function withoutFurtherFields(part: AnySchemaObject, name = ''): AnySchemaObject {
  if (Array.isArray(part)) {
    return part.map((one) => withoutFurtherFields(one));
  }
  if (typeof part !== 'object' || part === null || name === 'preview') {
    return part;
  }
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withoutFurtherFields(value, key)]));
  const isObject = part.properties !== undefined && part.additionalProperties === undefined;
  return isObject && name !== 'properties' ? { ...copy, additionalProperties: false } : copy;
}
