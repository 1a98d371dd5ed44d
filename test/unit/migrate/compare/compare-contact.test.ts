import { expect, test } from 'vitest';
import { compareContact } from '../../../../src/migrate/compare/compare-contact.ts';
import type { Contact } from '../../../../src/wire/shapes.ts';
import { people } from '../../../support/lists.ts';
import { createWorld } from '../../../support/world.ts';

const contact = (email: string): Contact => ({
  id: 'sub_1',
  object: 'contact',
  email,
  status: 'subscribed',
});

test.each([
  ['a next-line mark at the edge', '\u0085ana@example.com', 'ana@example.com'],
  ['a zero-width space at the edge', 'ana@example.com\u200b', 'ana@example.com'],
  ['the Kelvin sign', '\u212aarl@example.com', 'karl@example.com'],
])('recognizes an address in which the service changes %s (F8)', (_, sent, got) => {
  expect(compareContact({ email: sent }, contact(got))).toEqual([]);
});

test('reports a contact that has the address of another person (F8, L4)', () => {
  expect(compareContact({ email: 'ana@example.com' }, contact('anna@example.com'))).toEqual([
    { field: 'email', sent: 'ana@example.com', got: 'anna@example.com' },
  ]);
});

test.each([
  ['in look-ups too', (path: string) => path.replace('%C2%85', '')],
  ['only in writes', (path: string) => path],
])('does not stop when the service trims U+0085 of addresses %s (F8)', async (_, trimPath) => {
  const world = await createWorld();
  const list = `${people(3)}\u0085ana@example.com,Ana,subscribed\n`;

  const { code, json } = await world.svc(['migrate', world.file('list.csv', list), '--json', '--plan', 'paid'], {
    transport: (inner) => ({
      close: () => inner.close(),
      send: (request, signal) => {
        const url = new URL(trimPath(request.url.href));
        const body = request.body && Buffer.from(request.body.toString().replaceAll('\u0085', ''));
        return inner.send({ ...request, url, ...(body && { body }) }, signal);
      },
    }),
  });

  expect([code, json.verification.status]).toEqual([0, 'passed']);
  expect(world.emulator.admin.contact('ana@example.com')?.status).toBe('subscribed');
});
