import { join } from 'node:path';
import { test } from 'vitest';
import { openGolden } from '../../support/golden.ts';
import { people } from '../../support/lists.ts';
import { createWorld, type RunOptions } from '../../support/world.ts';

const golden = openGolden(join(import.meta.dirname, 'false-responses.txt'));

// biome-ignore lint/suspicious/noExplicitAny: a false response may have any shape
type Json = any;

/** A false response to a GET. Undefined: the response stays true. */
type Lie = (body: Json, path: string, nth: number) => Json | undefined;

/** A service with false responses. `nth` counts the responses of a path from 1. */
function falseResponses(lie: Lie): RunOptions {
  const counts = new Map<string, number>();
  return {
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        const response = await inner.send(request, signal);
        const path = request.url.pathname.replace('/api/v1', '').replace(/aud_\w+/, 'aud');
        counts.set(path, (counts.get(path) ?? 0) + 1);
        const body = lie(JSON.parse(response.body.toString()), path, counts.get(path) ?? 0);
        return body === undefined || response.status !== 200
          ? response
          : { ...response, status: 200, body: Buffer.from(JSON.stringify(body)) };
      },
    }),
  };
}

const AUDIENCE = '/audiences/aud';
const PAGES = '/audiences/aud/contacts';
const OTHER = 'other@example.com';

/** Changes each contact on each page. */
const onPages =
  (change: (contact: Json, page: readonly Json[]) => Json): Lie =>
  (body, path) =>
    path === PAGES ? { ...body, data: body.data.map((contact: Json) => change(contact, body.data)) } : undefined;
const onPage =
  (change: (page: Json, nth: number) => Json): Lie =>
  (body, path, nth) =>
    path === PAGES ? { ...body, ...change(body, nth) } : undefined;
const onAudience =
  (change: object): Lie =>
  (body, path) =>
    path === AUDIENCE ? { ...body, ...change } : undefined;
const counting = (total: unknown) => onAudience({ contact_counts: { subscribed: 0, unsubscribed: 0, total } });
/** Changes fields of one person on pages, but not in look-ups by address. */
const person3 = (change: object) =>
  onPages((contact) => (contact.email === 'person3@example.com' ? { ...contact, ...change } : contact));
/** Changes fields of one person on pages and in look-ups by address. */
const person3Everywhere =
  (change: object): Lie =>
  (body, path, nth) =>
    path.endsWith('/person3%40example.com') ? { ...body, ...change } : person3(change)(body, path, nth);

/** Responds to every cursor with the first page. */
function repeatFirst(): Lie {
  let first: Json;
  return onPage((page) => {
    first ??= page.data;
    return { data: first };
  });
}

/** Shows the first cursor on every page. */
function repeatCursor(): Lie {
  let cursor: Json;
  return onPage(({ next_cursor }) => {
    cursor ??= next_cursor;
    return { has_more: true, next_cursor: cursor };
  });
}

const LIES: readonly (readonly [string, Lie])[] = [
  ['the truth', () => undefined],
  ['another audience is shown', onAudience({ id: 'aud_other' })],
  ['the audience has no id', onAudience({ id: undefined })],
  ['it counts more than there are', counting(500)],
  ['it counts fewer than there are', counting(1)],
  ['its total is below zero', counting(-1)],
  ['it counts in words', counting('many')],
  ['it counts nothing', onAudience({ contact_counts: undefined })],
  ['a contact has another address', person3({ email: OTHER })],
  ['a contact has another address, and a look-up too', person3Everywhere({ email: OTHER })],
  [
    'a look-up shows another person',
    (body, path) => {
      const data = body.data?.filter(({ email }: Json) => email !== 'person3@example.com');
      return path === PAGES ? { ...body, data } : person3Everywhere({ id: 'sub_other', email: OTHER })(body, path, 1);
    },
  ],
  ['a contact is shown in capitals', person3({ email: 'PERSON3@Example.com' })],
  ['a contact has the address of another', person3({ email: 'person4@example.com' })],
  [
    'a contact has the id of another',
    onPages((contact, page) => ({ ...contact, id: contact.email === 'person3@example.com' ? page[0].id : contact.id })),
  ],
  ['all contacts have one id', onPages((contact) => ({ ...contact, id: 'sub_1' }))],
  ['a contact has no id', person3({ id: undefined })],
  ['a contact has no address', person3({ email: undefined })],
  ['a contact has no status on its page', person3({ status: undefined })],
  ['a contact has no status', person3Everywhere({ status: undefined })],
  ['a contact has a status that is null', person3Everywhere({ status: null })],
  ['a contact has a status that is no word', person3Everywhere({ status: 7 })],
  ['a contact has a status of tomorrow', person3Everywhere({ status: 'sleeping' })],
  ['a contact has attributes in words', person3Everywhere({ attributes: 'x' })],
  ['a page holds no object', onPages(() => null)],
  ['a page is no list', onPage(() => ({ data: {} }))],
  ['a page does not say whether it is the last', onPage(() => ({ has_more: undefined }))],
  ['the first page comes again', repeatFirst()],
  ['one cursor comes again', repeatCursor()],
  ['the first page says that it is the last', onPage(() => ({ has_more: false, next_cursor: null }))],
  ['a page is empty', onPage((page, nth) => (nth === 1 ? { data: [] } : page))],
  ['a page says that there is more, without a cursor', onPage(() => ({ has_more: true, next_cursor: null }))],
  ['each person comes twice on a page', onPage(({ data }) => ({ data: [...data, ...data] }))],
];

test.each(LIES)('a check ends as in the golden file, false response: %s (V1, V2, V3)', async (what, lie) => {
  const world = await createWorld();
  const contacts = Array.from({ length: 120 }, (_, n) => ({
    email: `person${n}@example.com`,
    first_name: `Name ${n}`,
  }));
  world.emulator.admin.addContacts(contacts);
  world.file('list.csv', people(120));
  const { code, out, err } = await world.svc('contacts check list.csv --json', falseResponses(lie));
  const { counts = {}, examples = {}, notes = [] } = out === '' ? {} : JSON.parse(out);
  const names = ['different', 'missing', 'extra', 'opted_out'].flatMap((outcome) =>
    (examples[outcome] ?? [])
      .slice(0, 2)
      .map(({ email, fields = [] }: Json) =>
        `${outcome} ${email} ${fields.map(({ field, list, there }: Json) => `${field} ${list} → ${there}`).join(', ')}`.trim(),
      ),
  );
  const error = err.includes('"error"') ? JSON.parse(err.trim().split('\n').at(-1) ?? '').error.message : '';
  const lines = [`exit ${code} ${JSON.stringify(counts)}`, ...names, ...notes, error];
  golden.check(
    what,
    lines.filter((line) => line !== '').map((line) => `  ${line}`.replace(/aud_[0-9a-f]+/, 'aud_1')),
  );
});
