import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ADMIN_ROUTES } from '../../../src/emulator/admin/routes.ts';
import { journeyOf } from '../../../src/emulator/domain/email-journey.ts';
import type { FaultRule } from '../../../src/emulator/faults/fault.ts';
import { createFaults } from '../../../src/emulator/faults/script.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../src/emulator/README.md'), 'utf8');

/** The first cells of the table under a heading. */
function firstCells(heading: string): string[] {
  const part = PAGE.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = part.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((line) => (line.split('|')[1] ?? '').trim());
}

test('lists every admin route in the README', () => {
  expect(firstCells('The admin API')).toEqual(ADMIN_ROUTES.map(({ method, path }) => `${method} ${path}`));
});

test('lists every kind of fault in the README', () => {
  const unknown = { kind: 'nothing' } as unknown as FaultRule;
  const listed = firstCells('Scripted faults').map((cell) => cell.replaceAll('`', ''));
  expect(() => createFaults([unknown], () => 0)).toThrow(`(known: ${listed.join(', ')})`);
});

test('lists every reserved recipient in the README', () => {
  const source = readFileSync(join(import.meta.dirname, '../../../src/emulator/domain/email-journey.ts'), 'utf8');
  const table = /new Map\(\[([\s\S]*?)\n\]\);/.exec(source)?.[1] ?? '';
  const reserved = [...table.matchAll(/^ {2,4}\[?'(\w+)',/gm)].map((match) => match[1]);
  const listed = firstCells('Recipients that make things happen').map((cell) => cell.replace(/`(\w+)@…`/, '$1'));
  expect(listed).toEqual(reserved);
  const plain = journeyOf('ana@example.com').map(({ status }) => status);
  expect(plain).toEqual(['sent', 'delivered']);
  expect(
    listed.filter(
      (local) => JSON.stringify(journeyOf(`${local}@example.com`)) === JSON.stringify(journeyOf('a@b.test')),
    ),
  ).toEqual([]);
});

test('names the same recipients in the guide', () => {
  const first = readFileSync(join(import.meta.dirname, '../../../docs/guide/emulator.md'), 'utf8');
  const named = [...first.matchAll(/`(\w+@…)`/g)].map((match) => `\`${match[1]}\``);
  expect(named).toEqual(firstCells('Recipients that make things happen'));
});
