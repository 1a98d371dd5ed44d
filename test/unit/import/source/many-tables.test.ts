import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';

test('lists at most 1,000 input tables as findings, and counts the others', async () => {
  const files = Array.from({ length: 1_002 }, (_, at) => [
    `part-${at}.csv`,
    csv('Email,Status', `p${at}@example.com,active`),
  ]);
  const { reading } = await readList(Object.fromEntries(files));
  const columns = reading.findings.filter(({ check }) => check === 'columns').map(({ message }) => message);
  expect([columns.length, columns[999]?.split(':')[0], columns[1_000]]).toEqual([
    ...[1_001, 'part-999.csv is read as generic'],
    '2 more tables are read: see "inputs" in report.json',
  ]);
  expect(reading.inputs).toHaveLength(1_002);
});
