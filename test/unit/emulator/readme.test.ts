import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ADMIN_ROUTES } from '../../../src/emulator/admin/routes.ts';
import { deliverySteps } from '../../../src/emulator/domain/email.ts';
import type { FaultRule } from '../../../src/emulator/faults/fault.ts';
import { createFaults } from '../../../src/emulator/faults/script.ts';

const EMULATOR = join(import.meta.dirname, '../../../src/emulator');
const PAGE = readFileSync(join(EMULATOR, 'README.md'), 'utf8');

/** The first cells of the table under a heading. */
function firstCells(heading: string): string[] {
  const part = PAGE.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = part.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((line) => (line.split('|')[1] ?? '').trim());
}

/** All words and quoted texts in the source files of a folder. */
function wordsIn(folder: string): Set<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return new Set(
    files.flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return [...(text.match(/\w+/g) ?? []), ...[...text.matchAll(/'([^'\n]+)'/g)].map(([, quoted = '']) => quoted)];
    }),
  );
}

describe('the README of the emulator', () => {
  test('the README of the emulator lists every admin route', () => {
    expect(firstCells('The admin API')).toEqual(ADMIN_ROUTES.map(({ method, path }) => `${method} ${path}`));
  });

  test('the README of the emulator lists every kind of fault', () => {
    const unknown = { kind: 'nothing' } as unknown as FaultRule;
    const listed = firstCells('Scripted faults').map((cell) => cell.replaceAll('`', ''));
    expect(() => createFaults([unknown], () => 0)).toThrow(`(known: ${listed.join(', ')})`);
  });

  test('the README of the emulator lists every reserved recipient', () => {
    const plain = deliverySteps('ana@example.com');
    expect(plain.map(({ status }) => status)).toEqual(['sent', 'delivered']);
    const isReserved = (local: string) => !isDeepStrictEqual(deliverySteps(`${local}@example.com`), plain);
    const listed = firstCells('Recipients that make things happen').map((cell) => cell.replace(/`(\w+)@…`/, '$1'));

    // A reserved recipient occurs somewhere in the source, so this tries each word there and each part of it.
    expect([...listed].sort()).toEqual([...wordsIn(EMULATOR)].filter(isReserved).sort());
  });

  test('the README of the emulator names the same recipients as the guide', () => {
    const first = readFileSync(join(import.meta.dirname, '../../../docs/guide/emulator.md'), 'utf8');
    const named = [...first.matchAll(/`(\w+@…)`/g)].map((match) => `\`${match[1]}\``);
    expect(named).toEqual(firstCells('Recipients that make things happen'));
  });
});
