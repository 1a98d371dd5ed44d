import { describe, expect, test } from 'vitest';
import { people } from '../../../support/lists.ts';
import { schemaErrors } from '../../../support/report-schema.ts';
import { createWorld } from '../../../support/world.ts';

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
    expect(schemaErrors(json)).toEqual([]);
  });

  test('the JSON schema refuses an unknown field, and a count that is no number', async () => {
    const world = await createWorld();
    world.file('list.csv', people(3));
    const { json } = await world.svc(['migrate', 'list.csv', '--dry-run', '--json']);
    expect(schemaErrors({ ...json, rows: { ...json.rows, read: 'three' } })).toHaveLength(1);
    expect(schemaErrors({ ...json, surprise: true })).toHaveLength(1);
  });
});
