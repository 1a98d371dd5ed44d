import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { createWorld, type World } from '../../../support/world.ts';
import { beforePage, byPosition, chain, isPage } from '../../contacts-check/shifting-pages.ts';

const READ_AGAIN = 'note: Reading the audience again';
const MAY_LACK = /The service counts .* and lists|may lack people/;

async function worldOf(count: number): Promise<World> {
  return createWorld({ seed: { contacts: Array.from({ length: count }, (_, n) => ({ email: `p${n}@example.com` })) } });
}

function joins({ emulator }: World, count: number, name: string): void {
  emulator.admin.addContacts(Array.from({ length: count }, (_, n) => ({ email: `${name}${n}@example.com` })));
}

function deletes({ emulator: { admin } }: World, index: number): void {
  admin.deleteContact(admin.contacts()[index]?.email ?? '');
}

/** What other programs do to an audience of 350 people before a page is asked for. */
const CHANGES: readonly (readonly [what: string, page: number, act: (world: World) => void])[] = [
  ['a read contact is deleted', 3, (world) => deletes(world, 0)],
  ['two read contacts are deleted', 4, (world) => [0, 150].forEach((index) => deletes(world, index))],
  ['an unread contact is deleted', 2, (world) => deletes(world, 340)],
  ['a contact joins', 2, (world) => joins(world, 1, 'new')],
  ['30 contacts join', 3, (world) => joins(world, 30, 'new')],
  ['a page of contacts joins', 2, (world) => joins(world, 99, 'new')],
  ['one joins, and a read contact is deleted', 3, (world) => [joins(world, 1, 'new'), deletes(world, 20)]],
];

const LINES = [
  'contacts export --output out',
  'contacts export --output out.ndjson',
  'contacts export',
  'contacts export --format ndjson',
  'contacts export --status subscribed --output out',
];

function addressesIn(text: string): string[] {
  return text.match(/[a-z]+\d+@example\.com/g) ?? [];
}

describe.each(LINES)('%s, while pages shift', (line) => {
  const written = (world: World, out: string) => {
    const name = line.split(' --output ')[1];
    return addressesIn(name === undefined ? out : readFileSync(join(world.folder, name), 'utf8'));
  };

  test.each(CHANGES)('lists each person once when %s (V2)', async (_, page, act) => {
    const world = await worldOf(350);
    const { admin } = world.emulator;
    const before = admin.contacts().map(({ email }) => email);
    const transport = chain(
      byPosition(world),
      beforePage(page, () => act(world)),
    );
    const { code, out, err } = await world.svc(line, { transport });
    const emails = written(world, out);
    expect([code, emails.length - new Set(emails).size], err).toEqual([0, 0]);
    const there = new Set(admin.contacts().map(({ email }) => email));
    expect(before.filter((email) => there.has(email) && !emails.includes(email))).toEqual([]);
    expect(MAY_LACK.test(err), err).toBe(false);
  });

  test('says that people may be missing when pages always shift (V2, L5)', async () => {
    const world = await worldOf(350);
    const { admin } = world.emulator;
    const shifting = (inner: Transport): Transport => ({
      ...inner,
      send: (request, signal) => {
        if (request.url.searchParams.get('after') === '200') {
          deletes(world, 0);
        }
        return inner.send(request, signal);
      },
    });
    const { code, err } = await world.svc(line, { transport: chain(byPosition(world), shifting) });
    expect([code, err.split(READ_AGAIN).length - 1], err).toEqual([0, 2]);
    expect([admin.contacts().length, MAY_LACK.test(err)]).toEqual([347, true]);
  });

  test('reads a list only twice when it hides the same people each time (V2)', async () => {
    const world = await worldOf(350);
    const hides = ({ email }: { readonly email: string }) => !email.startsWith('p5');
    const { code, err } = await world.svc(line, { transport: byPosition(world, hides) });
    expect([code, world.requests().filter(({ path }) => isPage(path)).length], err).toEqual([0, 8]);
    expect(err).toContain('The service counts 350 contacts and lists 339.');
  });
});

describe('an interrupted export whose pages shift', () => {
  const line = 'contacts export --output out';

  async function interruptedWorld(): Promise<World> {
    const world = await worldOf(450);
    const stop = new AbortController();
    const abort = () => stop.abort(createInterruption('SIGINT'));
    const transport = chain(byPosition(world), beforePage(3, abort));
    expect((await world.svc(line, { transport, signal: stop.signal })).code).toBe(130);
    return world;
  }

  test.each([
    ['30 contacts joined', (world: World) => joins(world, 30, 'new')],
    ['a read contact was deleted', (world: World) => deletes(world, 0)],
  ])('exports each person once when %s before the resume (V2)', async (_, act) => {
    const world = await interruptedWorld();
    const { admin } = world.emulator;
    const before = admin.contacts().map(({ email }) => email);
    act(world);
    const { code, err } = await world.svc(line, { transport: byPosition(world) });
    const emails = addressesIn(readFileSync(join(world.folder, 'out'), 'utf8'));
    expect([code, emails.length - new Set(emails).size], err).toEqual([0, 0]);
    const there = new Set(admin.contacts().map(({ email }) => email));
    expect(before.filter((email) => there.has(email) && !emails.includes(email))).toEqual([]);
  });

  test('continues at a cursor that an earlier version of svc wrote (V2)', async () => {
    const world = await interruptedWorld();
    const path = join(world.folder, 'out.cursor');
    const { pass: _, expected: __, listed: ___, ...old } = JSON.parse(readFileSync(path, 'utf8'));
    rmSync(path);
    world.file('out.cursor', JSON.stringify(old));
    const { code, json } = await world.svc(`${line} --json`, { transport: byPosition(world) });
    expect([code, json.contacts, json.resumed]).toEqual([0, 450, 200]);
  });
});
