import fc from 'fast-check';

/** Mostly ordinary values, so that most requests reach the rules behind the checks. */
export function mostly<T>(usual: readonly T[], unusual: readonly T[], usualWeight = 9): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: usualWeight, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...unusual) },
  );
}

/** Few people, so that one address meets several rules in a sequence. */
export const PEOPLE = ['ana@example.com', 'bo@example.com', 'cy@example.com', 'dee@example.com', 'élan@example.com'];

const LONG = `${'x'.repeat(242)}@example.com`;
const SPELLINGS = [' Ana@Example.com ', 'BO@EXAMPLE.COM', '\u00a0cy@example.com\n', 'ÉLAN@example.com'];
const WRONG = ['no-address', 'x@y', '', 'a b@example.com', 'a@b@example.com', 'a@example.com.', '"q"@example.com'];
const EDGES = ['a@[192.0.2.1]', '.a@x.test', 'a..b@x.test', 'a@b.1', LONG, `x${LONG}`];

export const email = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...PEOPLE) },
  { weight: 5, arbitrary: fc.constantFrom(...SPELLINGS) },
  { weight: 1, arbitrary: fc.constantFrom(...WRONG) },
  { weight: 1, arbitrary: fc.constantFrom(...EDGES) },
);

export const anyEmail = fc.oneof(
  { weight: 30, arbitrary: email },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(5, null) },
);

export const numbered = (count: number) => Array.from({ length: count }, (_, index) => `n${index}@example.com`);

const value = mostly<unknown>(['pro', 'pro', 'basic', '', null], [7, true, []], 60);
const attributeKey = mostly(
  ['plan', 'plan', 'Plan', 'Company / Org', 'company_org'],
  ['email', 'First Name', '__proto__', 'constructor', 'Société', '🎉', ' plan '],
  4,
);
const attributes = fc
  .array(fc.tuple(attributeKey, value), { maxLength: 3 })
  .map((entries): unknown => Object.fromEntries(entries));

export const anyAttributes = fc.oneof(
  { weight: 40, arbitrary: attributes },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, [], 'plan', { plan: { deep: 'a' } }) },
);

const name = mostly<unknown>(['Ana', 'Bo', '', null], ['A\ud800', 5], 12);
const topics = mostly<unknown>([{ top_1: true }, { top_2: 'no' }, {}], [null, [], 'top_1'], 12);
const date = mostly<unknown>(
  ['2024-02-29T12:00:00.000Z', '2025-01-01T00:00:00.500Z', null],
  ['2024-02-30T00:00:00.000Z', '2024-02-29T12:00:00Z', '2024-02-29', 5],
  12,
);
const status = mostly<unknown>(
  ['subscribed', 'unsubscribed', 'unsubscribed'],
  ['pending', 'bounced', 'gone', null],
  12,
);

export const contact = fc.record(
  {
    email: anyEmail,
    status,
    unsubscribed_at: date,
    first_name: name,
    last_name: name,
    attributes: anyAttributes,
    topics,
  },
  { requiredKeys: ['email'] },
);

/** People whose addresses are written in lower case or capitals, each with one status. */
export const residents = fc
  .array(
    fc.record(
      {
        email: fc.constantFrom(...PEOPLE),
        status: fc.constantFrom('subscribed', 'subscribed', 'unsubscribed'),
        first_name: fc.constant('Dee'),
        last_name: fc.constant('Dot'),
        attributes: fc.constantFrom<unknown>({ plan: 'pro' }, { Plan: 'basic' }, {}),
        unsubscribed_at: fc.constant('2025-01-01T00:00:00.500Z'),
      },
      { requiredKeys: ['email'] },
    ),
    { minLength: 3, maxLength: 8 },
  )
  .map((all) => [...new Map(all.map((resident) => [resident.email, resident])).values()]);

const addressOf = (one: { email: unknown }) => String(one.email).trim().toLowerCase();

/** The contacts of a batch. The same address twice refuses all of it, so that is rare. */
export const contacts = fc.oneof(
  { weight: 15, arbitrary: fc.uniqueArray(contact, { maxLength: 4, selector: addressOf }) },
  { weight: 1, arbitrary: fc.array(contact, { maxLength: 4 }) },
);

export const audienceName = mostly<unknown>(
  ['News', 'Büro', 'x'.repeat(100), '🎉'.repeat(100)],
  ['', 'x'.repeat(101), '🎉'.repeat(101), 5, null],
  3,
);
