import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../simulation/random.ts';
import { csv } from '../../support/lists.ts';
import { everyNth } from '../../support/sweep.ts';
import { createWorld, type World } from '../../support/world.ts';

const PEOPLE = 240;
const CHANGES = 30;

/** A list with every kind of row, and values with unusual characters. */
function randomList(random: Random): string {
  const names = ['Ana', '', 'Zoë', '=1+1', 'O’Neil', '"Q"', ' Bo '];
  const cities = ['Bonn', '', '007', 'null', 'São Paulo', 'a;b'];
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  return csv('email,first_name,last_name,status,unsubscribed_at,City,Plan', PEOPLE, (n) => {
    const status = random.pick(['subscribed', 'subscribed', 'subscribed', 'unsubscribed', 'bounced', 'pending']);
    const date = status === 'unsubscribed' && random.chance(0.7) ? `2024-03-0${random.int(1, 9)}T08:00:00Z` : '';
    const texts = [random.pick(names), random.pick(names), status, date, random.pick(cities), random.pick(cities)];
    return [`person${n}@example.com`, ...texts].map(cell).join(',');
  });
}

/** Makes one change in the audience. Returns what a check must say about it. */
function change(world: World, email: string, random: Random): string {
  const { admin } = world.emulator;
  const row = admin.contact(email)!;
  const sentKeys = Object.keys(JSON.parse(row.attributes));
  const { first_name, last_name, unsubscribed_at } = row;
  const before = {
    email,
    status: row.status,
    ...(first_name !== null && { first_name }),
    ...(last_name !== null && { last_name }),
    ...(unsubscribed_at !== null && { unsubscribed_at }),
    attributes: JSON.parse(row.attributes) as Record<string, string>,
  };
  const put = (contact: Partial<typeof before>) => {
    admin.deleteContact(email);
    admin.addContacts([{ ...before, ...contact }]);
  };
  const kind = random.pick(['delete', 'status', 'name', 'attribute', 'key']);
  if (kind === 'status') {
    admin.setStatus(email, row.status === 'subscribed' ? 'unsubscribed' : 'subscribed');
    return row.status === 'subscribed' ? 'opted_out' : 'different';
  }
  if (kind === 'name' && first_name !== null) {
    put({ first_name: `${first_name}x` });
    return 'different';
  }
  const key = sentKeys[0];
  if (kind === 'attribute' && key !== undefined) {
    put({ attributes: { ...before.attributes, [key]: `${before.attributes[key]} ` } });
    return 'different';
  }
  if (kind === 'key' && key !== undefined) {
    const { [key]: _, ...attributes } = before.attributes;
    put({ attributes });
    return 'different';
  }
  admin.deleteContact(email);
  return 'missing';
}

test.each(everyNth([1, 2, 3, 4, 5, 6], 2))(
  'contacts check reports exactly 30 random changes: seed %d (V1)',
  async (seed) => {
    const random = createRandom(seed);
    const world = await createWorld();
    world.file('list.csv', randomList(random));
    expect((await world.svc('migrate list.csv --json --timezone UTC')).code).toBe(0);
    expect((await world.svc('contacts check list.csv --json')).json.status).toBe('same');

    const { admin } = world.emulator;
    const there = admin.contacts().map(({ email }) => email);
    const expected = new Map<string, string>();
    while (expected.size < CHANGES - 5) {
      const email = random.pick(there);
      if (!expected.has(email)) {
        expected.set(email, change(world, email, random));
      }
    }
    for (let n = 0; n < 5; n += 1) {
      admin.addContacts([{ email: `extra${n}@example.com`, status: random.pick(['subscribed', 'unsubscribed']) }]);
      expected.set(`extra${n}@example.com`, 'extra');
    }

    const checked = await world.svc('contacts check list.csv --json');
    const outcomes = ['different', 'missing', 'extra', 'opted_out'] as const;
    const found = outcomes.flatMap((outcome) =>
      checked.json.examples[outcome].map(({ email }: { readonly email: string }) => [email, outcome]),
    );
    expect(found.sort()).toEqual([...expected].sort());
  },
);
